/* Timers expire by due time, then in the order of their start. */
#include "test.h"

static uv_loop_t loop;
static uv_timer_t timers[10];

static void on_timer(uv_timer_t *timer) { print("timer %d", (int)(timer - timers)); }

int main(void) {
    static const int timeouts[] = {30, 10, 20, 10, 0, 30, 5, 0, 10, 20};

    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(timers); i++) {
        uv_timer_init(&loop, &timers[i]);
        uv_timer_start(&timers[i], on_timer, timeouts[i], 0);
    }
    /* Started again, so it is the last with this due time. */
    uv_timer_start(&timers[1], on_timer, 10, 0);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));

    print("all late");
    for (size_t i = 0; i < COUNT(timers); i++)
        uv_timer_start(&timers[i], on_timer, timeouts[COUNT(timers) - 1 - i], 0);
    uv_sleep(50);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
