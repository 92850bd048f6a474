/* uv_timer_start uses the cached time: time that passed since the last update counts. */
#include "test.h"

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    print("timer");
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;
    uint64_t begin;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_update_time(&loop);
    uv_sleep(60);
    uv_timer_start(&timer, on_timer, 50, 0);
    begin = uv_hrtime();
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("at once: %d", uv_hrtime() - begin < 40000000);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
