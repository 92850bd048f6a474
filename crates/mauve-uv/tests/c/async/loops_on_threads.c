/* Threads open, notify and close loops. Closing a loop on one thread does not affect a loop that
 * is opened on another. */
#include "test.h"

#define THREADS 4
#define ROUNDS 10000

static void on_async(uv_async_t *async) { uv_close((uv_handle_t *)async, NULL); }

static void on_thread(void *argument) {
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        uv_loop_t loop;
        uv_async_t async;
        uv_signal_t signal;
        assert(uv_loop_init(&loop) == 0);
        /* A registered descriptor makes the loop wait in epoll, with its wake-up descriptor. */
        assert(uv_signal_init(&loop, &signal) == 0);
        assert(uv_async_init(&loop, &async, on_async) == 0);
        assert(uv_async_send(&async) == 0);
        assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
        uv_close((uv_handle_t *)&signal, NULL);
        assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
        assert(uv_loop_close(&loop) == 0);
    }
}

int main(void) {
    uv_thread_t threads[THREADS];
    alarm(60);
    for (int i = 0; i < THREADS; i++) uv_thread_create(&threads[i], on_thread, NULL);
    for (int i = 0; i < THREADS; i++) uv_thread_join(&threads[i]);
    print("all loops closed");
    return 0;
}
