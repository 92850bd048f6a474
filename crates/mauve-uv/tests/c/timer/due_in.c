/* uv_timer_get_due_in before, in and after the callback. uv_now does not change in between. */
#include "test.h"

static void on_timer(uv_timer_t *timer) {
    print("one-shot inside: due in %d, active %d", (int)uv_timer_get_due_in(timer),
          uv_is_active((uv_handle_t *)timer));
}

static void on_repeat(uv_timer_t *timer) {
    print("repeating inside: due in %d, active %d", (int)uv_timer_get_due_in(timer),
          uv_is_active((uv_handle_t *)timer));
    uv_timer_stop(timer);
    print("stopped: due in %d", (int)uv_timer_get_due_in(timer));
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    print("never started: %d", (int)uv_timer_get_due_in(&timer));
    uv_timer_start(&timer, on_timer, 1000, 0);
    print("started: %d", (int)uv_timer_get_due_in(&timer));
    uv_timer_stop(&timer);
    print("stopped: %d", (int)uv_timer_get_due_in(&timer));
    uv_timer_start(&timer, on_timer, 0, 0);
    print("due: %d", (int)uv_timer_get_due_in(&timer));
    uv_timer_start(&timer, on_timer, 5, 0);
    uv_sleep(10);
    uv_update_time(&loop);
    print("late: %d", (int)uv_timer_get_due_in(&timer));
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_timer_start(&timer, on_repeat, 1, 50);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
