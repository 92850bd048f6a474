/* uv_backend_timeout with timers, idle handles, closing handles and uv_stop. */
#include "test.h"

static uv_loop_t loop;

static void print_timeout(const char *when) { print("%s: %d", when, uv_backend_timeout(&loop)); }

static void on_timer(uv_timer_t *timer) { (void)timer; }
static void on_idle(uv_idle_t *idle) { (void)idle; }
static void on_async(uv_async_t *async) { (void)async; }

int main(void) {
    uv_timer_t near, far;
    uv_idle_t idle;
    uv_async_t async;

    uv_loop_init(&loop);
    print_timeout("empty");
    uv_timer_init(&loop, &near);
    uv_timer_init(&loop, &far);
    print_timeout("inactive timers");
    uv_run(&loop, UV_RUN_NOWAIT);

    uv_async_init(&loop, &async, on_async);
    uv_run(&loop, UV_RUN_NOWAIT);
    print_timeout("async only");
    uv_unref((uv_handle_t *)&async);
    print_timeout("async unreferenced");
    uv_ref((uv_handle_t *)&async);

    uv_timer_start(&far, on_timer, 5000, 0);
    print_timeout("timer in 5 s");
    uv_timer_start(&near, on_timer, 1000, 0);
    print_timeout("timer in 1 s");
    uv_unref((uv_handle_t *)&near);
    print_timeout("the same, unreferenced");
    uv_timer_start(&near, on_timer, 0, 0);
    print_timeout("due timer");
    uv_timer_start(&near, on_timer, UINT64_MAX, 0);
    print_timeout("timer at UINT64_MAX");
    uv_timer_stop(&far);
    print_timeout("only the timer at UINT64_MAX");
    uv_timer_start(&near, on_timer, 2147483647, 0);
    print_timeout("timer in INT_MAX ms");
    uv_timer_start(&near, on_timer, 2147483648, 0);
    print_timeout("timer in INT_MAX + 1 ms");
    uv_timer_stop(&near);
    print_timeout("timers stopped");

    uv_timer_start(&far, on_timer, 5000, 0);
    uv_idle_init(&loop, &idle);
    print_timeout("inactive idle");
    uv_idle_start(&idle, on_idle);
    print_timeout("idle");
    uv_unref((uv_handle_t *)&idle);
    print_timeout("unreferenced idle");
    uv_idle_stop(&idle);
    print_timeout("idle stopped");
    uv_stop(&loop);
    print_timeout("stopped");
    uv_run(&loop, UV_RUN_DEFAULT);
    print_timeout("stopped, after a run");
    uv_close((uv_handle_t *)&idle, NULL);
    print_timeout("closing");
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_update_time(&loop);
    uv_timer_start(&far, on_timer, 5000, 0);
    print_timeout("closed");
    print("close %s", code(close_loop(&loop)));
    return 0;
}
