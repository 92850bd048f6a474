/* uv_async_send from many threads: no wake-up is lost, and writes before a send are visible in the
 * callback. */
#include "test.h"

enum { THREADS = 4, SENDS = 5000 };

static uv_async_t async;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int produced, consumed;

static void *produce(void *argument) {
    (void)argument;
    for (int i = 0; i < SENDS; i++) {
        pthread_mutex_lock(&mutex);
        produced++;
        pthread_mutex_unlock(&mutex);
        uv_async_send(&async);
    }
    return NULL;
}

static void on_async(uv_async_t *handle) {
    pthread_mutex_lock(&mutex);
    consumed = produced;
    pthread_mutex_unlock(&mutex);
    if (consumed == THREADS * SENDS) uv_close((uv_handle_t *)handle, NULL);
}

int main(void) {
    uv_loop_t loop;
    pthread_t threads[THREADS];

    uv_loop_init(&loop);
    uv_async_init(&loop, &async, on_async);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, produce, NULL);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    print("consumed %d", consumed);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
