/* What keeps a loop alive. */
#include "say.h"

static uv_loop_t loop;

static void alive(const char *when) { say("%s: %d", when, uv_loop_alive(&loop)); }

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    alive("in the callback of the only timer");
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    alive("in the close callback");
}

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    (void)work;
    (void)status;
    alive("in the after-work callback");
}

static void on_async(uv_async_t *async) { (void)async; }

int main(void) {
    uv_timer_t timer;
    uv_async_t async;
    uv_work_t work;

    uv_loop_init(&loop);
    alive("empty");
    uv_timer_init(&loop, &timer);
    alive("a timer that is not started");
    uv_timer_start(&timer, on_timer, 0, 0);
    alive("started");
    uv_unref((uv_handle_t *)&timer);
    alive("unreferenced");
    uv_ref((uv_handle_t *)&timer);
    alive("referenced");
    uv_run(&loop, UV_RUN_DEFAULT);
    alive("it has run");
    uv_unref((uv_handle_t *)&timer);
    uv_close((uv_handle_t *)&timer, on_close);
    alive("closing and unreferenced");
    uv_run(&loop, UV_RUN_DEFAULT);
    alive("closed");
    uv_queue_work(&loop, &work, on_work, after_work);
    alive("work");
    uv_run(&loop, UV_RUN_DEFAULT);
    alive("work is done");
    uv_async_init(&loop, &async, on_async);
    alive("async");
    uv_unref((uv_handle_t *)&async);
    alive("async, unreferenced");
    uv_close((uv_handle_t *)&async, NULL);
    alive("closing without a callback");
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
