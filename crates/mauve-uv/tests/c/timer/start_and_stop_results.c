/* Results of uv_timer_start and uv_timer_stop, and which callback and repeat are used. */
#include "test.h"

static void on_first(uv_timer_t *timer) {
    (void)timer;
    print("first callback");
}

static void on_second(uv_timer_t *timer) {
    print("second callback, active %d, repeat %d", uv_is_active((uv_handle_t *)timer),
          (int)uv_timer_get_repeat(timer));
    uv_timer_stop(timer);
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    print("repeat %d, due in %d", (int)uv_timer_get_repeat(&timer),
          (int)uv_timer_get_due_in(&timer));
    print("stop %s", code(uv_timer_stop(&timer)));
    print("no callback %s", code(uv_timer_start(&timer, NULL, 1, 0)));
    print("active %d", uv_is_active((uv_handle_t *)&timer));
    print("again %s", code(uv_timer_again(&timer)));
    print("start %s", code(uv_timer_start(&timer, on_first, 3600000, 7)));
    print("active %d", uv_is_active((uv_handle_t *)&timer));
    print("no callback when active %s", code(uv_timer_start(&timer, NULL, 1, 0)));
    print("active %d", uv_is_active((uv_handle_t *)&timer));
    print("start again %s", code(uv_timer_start(&timer, on_second, 1, 9)));
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_close((uv_handle_t *)&timer, NULL);
    print("start when closing %s", code(uv_timer_start(&timer, on_first, 0, 0)));
    print("stop when closing %s", code(uv_timer_stop(&timer)));
    print("active %d", uv_is_active((uv_handle_t *)&timer));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
