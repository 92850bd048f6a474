/* What uv_timer_start accepts, and what it changes. */
#include "say.h"

static void first(uv_timer_t *timer) {
    (void)timer;
    say("first callback");
}

static void second(uv_timer_t *timer) {
    say("second callback, active %d, repeat %d", uv_is_active((uv_handle_t *)timer),
        (int)uv_timer_get_repeat(timer));
    uv_timer_stop(timer);
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    say("repeat %d, due in %d", (int)uv_timer_get_repeat(&timer), (int)uv_timer_get_due_in(&timer));
    say("stop %s", code(uv_timer_stop(&timer)));
    say("no callback %s", code(uv_timer_start(&timer, NULL, 1, 0)));
    say("active %d", uv_is_active((uv_handle_t *)&timer));
    say("again %s", code(uv_timer_again(&timer)));
    say("start %s", code(uv_timer_start(&timer, first, 3600000, 7)));
    say("active %d", uv_is_active((uv_handle_t *)&timer));
    say("no callback on a running one %s", code(uv_timer_start(&timer, NULL, 1, 0)));
    say("active %d", uv_is_active((uv_handle_t *)&timer));
    say("start anew %s", code(uv_timer_start(&timer, second, 1, 9)));
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_close((uv_handle_t *)&timer, NULL);
    say("start when closing %s", code(uv_timer_start(&timer, first, 0, 0)));
    say("stop when closing %s", code(uv_timer_stop(&timer)));
    say("active %d", uv_is_active((uv_handle_t *)&timer));
    say("close %s", code(finish(&loop)));
    return 0;
}
