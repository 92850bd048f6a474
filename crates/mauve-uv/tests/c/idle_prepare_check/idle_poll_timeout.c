/* An active idle handle makes the poll timeout 0; prepare and check handles do not. */
#include "test.h"

static int idles;

static void on_idle(uv_idle_t *idle) {
    if (++idles == 100) uv_idle_stop(idle);
}
static void on_prepare(uv_prepare_t *prepare) { (void)prepare; }
static void on_timer(uv_timer_t *timer) {
    print("timer");
    uv_stop(timer->loop);
}

int main(void) {
    uv_loop_t loop;
    uv_idle_t idle;
    uv_prepare_t prepare;
    uv_timer_t timer;

    uv_loop_init(&loop);
    uv_idle_init(&loop, &idle);
    uv_idle_start(&idle, on_idle);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 200, 0);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("%d idle calls", idles);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
