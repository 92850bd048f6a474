/* needs: 1.52 */
/* uv_stop in a timer that runs before the first iteration: no iteration follows. */
#include "test.h"

static void on_timer(uv_timer_t *timer) {
    record_event("timer");
    uv_stop(timer->loop);
}

static void on_idle(uv_idle_t *idle) {
    (void)idle;
    record_event("idle");
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    record_event("close");
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer, closing;
    uv_idle_t idle;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_init(&loop, &closing);
    uv_idle_init(&loop, &idle);
    uv_idle_start(&idle, on_idle);
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_close((uv_handle_t *)&closing, on_close);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 1);
    EXPECT_EVENTS("timer ");
    EXPECT(uv_run(&loop, UV_RUN_NOWAIT), 1);
    EXPECT_EVENTS("idle close ");
    EXPECT(close_loop(&loop), 0);
    return 0;
}
