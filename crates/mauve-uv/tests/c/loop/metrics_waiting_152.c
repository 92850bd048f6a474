/* needs: 1.52 */
/* uv_metrics_info: events that were ready when the loop entered the poll phase count as
 * events_waiting, if UV_METRICS_IDLE_TIME is configured. */
#include "test.h"

static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)status;
    (void)events;
    uv_poll_stop(poll);
}

int main(void) {
    uv_loop_t loop;
    uv_poll_t poll;
    uv_metrics_t now;
    int ends[2];

    EXPECT(pipe(ends), 0);
    EXPECT(write(ends[1], "x", 1), 1);
    uv_loop_init(&loop);
    uv_poll_init(&loop, &poll, ends[0]);
    uv_poll_start(&poll, UV_READABLE, on_poll);
    EXPECT(uv_run(&loop, UV_RUN_NOWAIT), 0);
    EXPECT(uv_metrics_info(&loop, &now), 0);
    EXPECT(now.events, 1);
    EXPECT(now.events_waiting, 0);

    EXPECT(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME), 0);
    uv_poll_start(&poll, UV_READABLE, on_poll);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT(uv_metrics_info(&loop, &now), 0);
    EXPECT(now.events, 2);
    EXPECT(now.events_waiting, 1);
    EXPECT(uv_metrics_idle_time(&loop), 0);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
