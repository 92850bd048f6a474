/* needs: 1.52 */
/* Timers run at the end of an iteration, and with UV_RUN_DEFAULT once before the first. */
#include "test.h"

static uv_timer_t timer;
static uv_idle_t idle;
static uv_check_t check;

static void on_timer(uv_timer_t *handle) {
    record_event("timer");
    uv_timer_start(handle, on_timer, 0, 0);
}
static void on_idle(uv_idle_t *handle) {
    (void)handle;
    record_event("idle");
}
static void on_check(uv_check_t *handle) {
    record_event("check");
    if (handle->data != NULL) uv_stop(handle->loop);
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_idle_init(&loop, &idle);
    uv_check_init(&loop, &check);
    check.data = NULL;
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_idle_start(&idle, on_idle);
    uv_check_start(&check, on_check);

    EXPECT(uv_run(&loop, UV_RUN_NOWAIT), 1);
    EXPECT_EVENTS("idle check timer ");
    EXPECT(uv_run(&loop, UV_RUN_ONCE), 1);
    EXPECT_EVENTS("idle check timer ");
    /* uv_stop does not skip the timers of the current iteration. */
    check.data = &loop;
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 1);
    EXPECT_EVENTS("timer idle check timer ");
    /* uv_stop before the run: no iteration and no timers. */
    uv_stop(&loop);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 1);
    EXPECT_EVENTS("");
    EXPECT(close_loop(&loop), 0);
    return 0;
}
