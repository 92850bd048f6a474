/* uv_backend_timeout in every situation that has a rule. */
#include "say.h"

static uv_loop_t loop;

static void show(const char *when) { say("%s: %d", when, uv_backend_timeout(&loop)); }

static void on_timer(uv_timer_t *timer) { (void)timer; }
static void on_idle(uv_idle_t *idle) { (void)idle; }
static void on_async(uv_async_t *async) { (void)async; }

int main(void) {
    uv_timer_t near, far;
    uv_idle_t idle;
    uv_async_t async;

    uv_loop_init(&loop);
    show("empty");
    uv_timer_init(&loop, &near);
    uv_timer_init(&loop, &far);
    show("inactive timers");
    uv_run(&loop, UV_RUN_NOWAIT);

    uv_async_init(&loop, &async, on_async);
    uv_run(&loop, UV_RUN_NOWAIT);
    show("async only");
    uv_unref((uv_handle_t *)&async);
    show("async unreferenced");
    uv_ref((uv_handle_t *)&async);

    uv_timer_start(&far, on_timer, 5000, 0);
    show("timer in 5 s");
    uv_timer_start(&near, on_timer, 1000, 0);
    show("timer in 1 s");
    uv_unref((uv_handle_t *)&near);
    show("the same, unreferenced");
    uv_timer_start(&near, on_timer, 0, 0);
    show("due timer");
    uv_timer_start(&near, on_timer, UINT64_MAX, 0);
    show("timer at the end of time");
    uv_timer_stop(&far);
    show("that alone");
    uv_timer_start(&near, on_timer, 2147483647, 0);
    show("the longest");
    uv_timer_start(&near, on_timer, 2147483648, 0);
    show("one more");
    uv_timer_stop(&near);
    show("timers stopped");

    uv_timer_start(&far, on_timer, 5000, 0);
    uv_idle_init(&loop, &idle);
    show("inactive idle");
    uv_idle_start(&idle, on_idle);
    show("idle");
    uv_unref((uv_handle_t *)&idle);
    show("unreferenced idle");
    uv_idle_stop(&idle);
    show("idle stopped");
    uv_stop(&loop);
    show("stopped");
    uv_run(&loop, UV_RUN_DEFAULT);
    show("and run");
    uv_close((uv_handle_t *)&idle, NULL);
    show("closing");
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_update_time(&loop);
    uv_timer_start(&far, on_timer, 5000, 0);
    show("closed");
    say("close %s", code(finish(&loop)));
    return 0;
}
