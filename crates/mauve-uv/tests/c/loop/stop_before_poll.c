/* uv_stop before the poll phase makes its timeout 0. */
#include "test.h"

static void on_prepare(uv_prepare_t *prepare) {
    print("prepare, backend timeout %d", uv_backend_timeout(prepare->loop) > 0);
    uv_stop(prepare->loop);
    print("stopped, backend timeout %d", uv_backend_timeout(prepare->loop));
}

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    print("timer");
}

int main(void) {
    uv_loop_t loop;
    uv_prepare_t prepare;
    uv_timer_t timer;

    uv_loop_init(&loop);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 3600000, 0);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("once %d", uv_run(&loop, UV_RUN_ONCE));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
