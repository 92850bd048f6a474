/* A timer does not expire before its timeout, counted from the cached time of its start. */
#include "test.h"

static uint64_t started;
static int early, calls;

static void on_timer(uv_timer_t *timer) {
    uint64_t timeout = (uint64_t)(intptr_t)timer->data;
    if (uv_hrtime() / 1000000 < started + timeout) early++;
    if (uv_now(timer->loop) < started + timeout) early++;
    calls++;
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timers[40];

    uv_loop_init(&loop);
    uv_update_time(&loop);
    started = uv_now(&loop);
    for (size_t i = 0; i < COUNT(timers); i++) {
        uv_timer_init(&loop, &timers[i]);
        timers[i].data = (void *)(intptr_t)(i * 3);
        uv_timer_start(&timers[i], on_timer, i * 3, 0);
    }
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("calls %d, early %d", calls, early);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
