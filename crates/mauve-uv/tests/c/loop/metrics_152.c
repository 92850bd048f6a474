/* needs: 1.52 */
/* uv_metrics_info: loop_count grows when the poll phase starts, events when they are reported. */
#include "test.h"

static uv_loop_t loop;
static uv_poll_t poller;
static int iterations;

static uv_metrics_t read_metrics(void) {
    uv_metrics_t now;
    memset(&now, 0xa5, sizeof now);
    EXPECT(uv_metrics_info(&loop, &now), 0);
    return now;
}

static void on_prepare(uv_prepare_t *prepare) {
    EXPECT(read_metrics().loop_count, iterations);
    iterations++;
    if (iterations == 4) {
        uv_prepare_stop(prepare);
        uv_poll_stop(&poller);
    }
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)poll;
    EXPECT(status, 0);
    EXPECT(events, UV_READABLE);
    EXPECT(read_metrics().loop_count, iterations);
    /* The events of the current batch are not counted yet. */
    EXPECT(read_metrics().events, iterations - 1);
}

int main(void) {
    uv_prepare_t prepare;
    int ends[2];

    EXPECT(pipe(ends), 0);
    EXPECT(write(ends[1], "x", 1), 1);
    uv_loop_init(&loop);
    EXPECT(read_metrics().loop_count, 0);
    EXPECT(read_metrics().events, 0);
    EXPECT(read_metrics().events_waiting, 0);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    uv_poll_init(&loop, &poller, ends[0]);
    uv_poll_start(&poller, UV_READABLE, on_poll);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT(iterations, 4);
    EXPECT(read_metrics().loop_count, 4);
    EXPECT(read_metrics().events, 3);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
