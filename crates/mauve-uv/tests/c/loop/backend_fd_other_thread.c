/* env: MAUVE_SELECTOR=epoll */
/* Another thread calls uv_backend_fd while the loop waits on a futex. Later wake-ups are not lost.
 * */
#include "test.h"

#include <poll.h>

enum { ROUNDS = 50 };

static uv_loop_t loop;
static uv_async_t async;
static uv_sem_t called;
static int calls, last;

static void on_async(uv_async_t *handle) {
    calls++;
    if (last) uv_close((uv_handle_t *)handle, NULL);
    uv_sem_post(&called);
}

static void run_loop(void *arg) {
    (void)arg;
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    uv_thread_t thread;
    assert(uv_loop_init(&loop) == 0);
    uv_async_init(&loop, &async, on_async);
    uv_sem_init(&called, 0);
    uv_thread_create(&thread, run_loop, NULL);
    /* Wakes the loop once; then it waits again. */
    uv_async_send(&async);
    uv_sem_wait(&called);
    for (int i = 0; i < ROUNDS; i++) {
        if (i < 5) uv_sleep(2);
        assert(uv_backend_fd(&loop) >= 0);
        if (i % 2) uv_sleep(1);
        last = i == ROUNDS - 1;
        uv_async_send(&async);
        uv_sem_wait(&called);
    }
    uv_thread_join(&thread);
    print("calls %d", calls);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
