/* Many loops in a row. In each, a thread sends while the loop closes the handle; the handle
 * is closed before the thread is known to have finished its send. No loop loses a wake-up. */
#include "say.h"

enum { LOOPS = 200 };

static uv_async_t target, answer;
static uv_idle_t idle;
static int sent, calls;

static void on_target(uv_async_t *handle) {
    (void)handle;
}

static void on_answer(uv_async_t *handle) {
    calls++;
    uv_close((uv_handle_t *)handle, NULL);
}

static void on_idle(uv_idle_t *handle) {
    if (__atomic_load_n(&sent, __ATOMIC_ACQUIRE) == 0) return;
    uv_close((uv_handle_t *)handle, NULL);
    uv_close((uv_handle_t *)&target, NULL);
}

static void sends(void *arg) {
    (void)arg;
    uv_async_send(&target);
    __atomic_store_n(&sent, 1, __ATOMIC_RELEASE);
    uv_async_send(&answer);
}

int main(void) {
    for (int i = 0; i < LOOPS; i++) {
        uv_loop_t loop;
        uv_thread_t thread;
        sent = 0;
        assert(uv_loop_init(&loop) == 0);
        uv_async_init(&loop, &answer, on_answer);
        uv_async_init(&loop, &target, on_target);
        uv_idle_init(&loop, &idle);
        uv_idle_start(&idle, on_idle);
        uv_thread_create(&thread, sends, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        uv_thread_join(&thread);
        assert(uv_loop_close(&loop) == 0);
    }
    say("calls %d", calls);
    return 0;
}
