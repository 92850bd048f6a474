/* Starting a timer does not read the clock: the time that passed before counts. */
#include "say.h"

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    say("timer");
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
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("at once: %d", uv_hrtime() - begin < 40000000);
    say("close %s", code(finish(&loop)));
    return 0;
}
