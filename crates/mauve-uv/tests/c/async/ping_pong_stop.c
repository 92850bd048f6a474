/* Two loops on two threads notify each other in turn, until each is stopped with a notification
 * pending. A pending notification does not keep uv_loop_close from succeeding. */
#include "test.h"

static uv_loop_t loops[2];
static uv_async_t asyncs[2], others[64];
static int remaining;

static void on_other(uv_async_t *handle) {
    (void)handle;
}

static void on_async(uv_async_t *handle) {
    int other = handle == &asyncs[0];
    if (--remaining <= 0) uv_stop(handle->loop);
    uv_async_send(&asyncs[other]);
}

static void run_loop(void *loop) {
    uv_run(loop, UV_RUN_DEFAULT);
}

int main(void) {
    int busy = 0;
    for (int round = 0; round < 1000; round++) {
        uv_thread_t thread;
        for (int i = 0; i < 2; i++) assert(uv_loop_init(&loops[i]) == 0);
        for (int i = 0; i < round % 64; i++) uv_async_init(&loops[0], &others[i], on_other);
        for (int i = 0; i < 2; i++) uv_async_init(&loops[i], &asyncs[i], on_async);
        remaining = 1 + round % 13;
        uv_async_send(&asyncs[0]);
        assert(uv_thread_create(&thread, run_loop, &loops[1]) == 0);
        uv_run(&loops[0], UV_RUN_DEFAULT);
        uv_thread_join(&thread);
        for (int i = 0; i < 2; i++) busy += close_loop(&loops[i]) != 0;
    }
    print("busy %d", busy);
    return 0;
}
