/* uv_metrics_idle_time is measured only with UV_METRICS_IDLE_TIME. */
#include "test.h"

static void on_timer(uv_timer_t *timer) { (void)timer; }

static void on_busy_timer(uv_timer_t *timer) {
    (void)timer;
    uv_sleep(50);
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;
    uint64_t waited;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 20, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("not configured: %d", uv_metrics_idle_time(&loop) == 0);

    uv_loop_configure(&loop, UV_METRICS_IDLE_TIME);
    print("not waited: %d", uv_metrics_idle_time(&loop) == 0);
    uv_update_time(&loop);
    uv_timer_start(&timer, on_timer, 50, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    waited = uv_metrics_idle_time(&loop);
    print("waited: %d", waited > 40000000);
    uv_timer_start(&timer, on_busy_timer, 0, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("callback time does not count: %d", uv_metrics_idle_time(&loop) - waited < 40000000);
    uv_run(&loop, UV_RUN_NOWAIT);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
