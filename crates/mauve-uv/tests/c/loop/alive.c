/* uv_loop_alive: which handles and requests keep a loop alive. */
#include "test.h"

static uv_loop_t loop;

static void print_alive(const char *when) { print("%s: %d", when, uv_loop_alive(&loop)); }

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    print_alive("in the callback of the only timer");
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    print_alive("in the close callback");
}

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    (void)work;
    (void)status;
    print_alive("in the after-work callback");
}

static void on_async(uv_async_t *async) { (void)async; }

int main(void) {
    uv_timer_t timer;
    uv_async_t async;
    uv_work_t work;

    uv_loop_init(&loop);
    print_alive("empty");
    uv_timer_init(&loop, &timer);
    print_alive("a timer that is not started");
    uv_timer_start(&timer, on_timer, 0, 0);
    print_alive("started");
    uv_unref((uv_handle_t *)&timer);
    print_alive("unreferenced");
    uv_ref((uv_handle_t *)&timer);
    print_alive("referenced");
    uv_run(&loop, UV_RUN_DEFAULT);
    print_alive("after its callback");
    uv_unref((uv_handle_t *)&timer);
    uv_close((uv_handle_t *)&timer, on_close);
    print_alive("closing and unreferenced");
    uv_run(&loop, UV_RUN_DEFAULT);
    print_alive("closed");
    uv_queue_work(&loop, &work, on_work, after_work);
    print_alive("work");
    uv_run(&loop, UV_RUN_DEFAULT);
    print_alive("after the work callback");
    uv_async_init(&loop, &async, on_async);
    print_alive("async");
    uv_unref((uv_handle_t *)&async);
    print_alive("async, unreferenced");
    uv_close((uv_handle_t *)&async, NULL);
    print_alive("closing without a callback");
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
