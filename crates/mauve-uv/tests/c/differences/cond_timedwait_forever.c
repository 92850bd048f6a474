/* needs: mauve */
/* uv_cond_timedwait with UINT64_MAX waits until it is signalled. libuv adds the timeout to the current
 * time, which overflows, and returns UV_ETIMEDOUT at once. */
#include "test.h"

static uv_mutex_t mutex;
static uv_cond_t cond;
static int ready;

static void signal_later(void *argument) {
    (void)argument;
    uv_sleep(50);
    uv_mutex_lock(&mutex);
    ready = 1;
    uv_cond_signal(&cond);
    uv_mutex_unlock(&mutex);
}

int main(void) {
    uv_thread_t thread;
    int result = 0;
    uv_mutex_init(&mutex);
    uv_cond_init(&cond);
    uv_mutex_lock(&mutex);
    EXPECT(uv_thread_create(&thread, signal_later, NULL), 0);
    while (!ready && result == 0) result = uv_cond_timedwait(&cond, &mutex, UINT64_MAX);
    EXPECT(result, 0);
    uv_mutex_unlock(&mutex);
    uv_thread_join(&thread);
    return 0;
}
