/* A thread sends while the loop closes the handle: the close may precede the return of
 * uv_async_send. No loop loses a wake-up. */
#include "test.h"

enum { LOOPS = 200 };

static uv_async_t target, reply;
static uv_idle_t idle;
static int sent, calls;

static void on_target(uv_async_t *handle) {
    (void)handle;
}

static void on_reply(uv_async_t *handle) {
    calls++;
    uv_close((uv_handle_t *)handle, NULL);
}

static void on_idle(uv_idle_t *handle) {
    if (__atomic_load_n(&sent, __ATOMIC_ACQUIRE) == 0) return;
    uv_close((uv_handle_t *)handle, NULL);
    uv_close((uv_handle_t *)&target, NULL);
}

static void send_from_thread(void *arg) {
    (void)arg;
    uv_async_send(&target);
    __atomic_store_n(&sent, 1, __ATOMIC_RELEASE);
    uv_async_send(&reply);
}

int main(void) {
    for (int i = 0; i < LOOPS; i++) {
        uv_loop_t loop;
        uv_thread_t thread;
        sent = 0;
        assert(uv_loop_init(&loop) == 0);
        uv_async_init(&loop, &reply, on_reply);
        uv_async_init(&loop, &target, on_target);
        uv_idle_init(&loop, &idle);
        uv_idle_start(&idle, on_idle);
        uv_thread_create(&thread, send_from_thread, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        uv_thread_join(&thread);
        assert(uv_loop_close(&loop) == 0);
    }
    print("calls %d", calls);
    return 0;
}
