/* A loop that has slept by itself is nested in another wait later on: what wakes it, and what has woken
 * it before, is to be seen at its descriptor. */
#include "say.h"

#include <poll.h>

static uv_async_t async;
static int calls;

static void on_async(uv_async_t *handle) {
    (void)handle;
    calls++;
}

static void on_timer(uv_timer_t *handle) {
    (void)handle;
}

static void sends(void *arg) {
    (void)arg;
    uv_sleep(20);
    uv_async_send(&async);
}

static void look(const char *when) {
    struct pollfd pollfd = {uv_backend_fd(uv_default_loop()), POLLIN, 0};
    int ready = poll(&pollfd, 1, 5000);
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
    say("%s: ready %d, calls %d", when, ready, calls);
}

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    uv_thread_t thread;
    uv_timer_t timer;
    uv_async_init(loop, &async, on_async);
    uv_timer_init(loop, &timer);
    /* Nothing is watched, and nobody has asked for the descriptor. */
    for (int i = 0; i < 3; i++) {
        uv_timer_start(&timer, on_timer, 2, 0);
        uv_run(loop, UV_RUN_ONCE);
    }
    uv_thread_create(&thread, sends, NULL);
    uv_run(loop, UV_RUN_ONCE);
    uv_thread_join(&thread);
    say("calls %d", calls);
    uv_async_send(&async);
    look("sent before it was asked for");
    uv_thread_create(&thread, sends, NULL);
    look("sent meanwhile");
    uv_thread_join(&thread);
    return finish(loop);
}
