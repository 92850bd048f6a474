/* A late repeating timer does not catch up: it is called once, then after a full period. */
#include "test.h"

static int calls;

static void on_timer(uv_timer_t *timer) {
    print("call %d, due in %d", ++calls, (int)uv_timer_get_due_in(timer));
    uv_sleep(30);
    if (calls == 3) uv_timer_stop(timer);
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;
    uint64_t begin;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 5, 5);
    uv_sleep(60);
    begin = uv_hrtime();
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("slept in the callbacks: %d", uv_hrtime() - begin >= 90000000);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
