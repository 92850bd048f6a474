/* Two descriptors are ready. The first callback stops, closes or restarts the other handle: its
 * already collected event is not reported. */
#include "test.h"

static uv_loop_t loop;
static uv_poll_t polls[2];
static int scenario, calls;

static void on_poll_other(uv_poll_t *poll, int status, int events) {
    (void)poll;
    print("  other callback %s %d", code(status), events);
    calls++;
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    uv_poll_t *other = &polls[poll == &polls[0]];
    print("  %s %d", code(status), events);
    if (calls++ > 0) return;
    if (scenario == 0) uv_poll_stop(other);
    if (scenario == 1) uv_close((uv_handle_t *)other, NULL);
    if (scenario == 2) uv_poll_start(other, UV_DISCONNECT, on_poll);
    if (scenario == 3) uv_poll_start(other, UV_READABLE, on_poll_other);
    if (scenario == 4) uv_poll_start(other, 0, on_poll);
    if (scenario == 5) {
        uv_poll_stop(other);
        uv_poll_start(other, UV_READABLE, on_poll_other);
    }
}

int main(void) {
    uv_loop_init(&loop);
    for (scenario = 0; scenario < 6; scenario++) {
        int ends[2][2];
        calls = 0;
        for (int i = 0; i < 2; i++) {
            assert(pipe(ends[i]) == 0 && write(ends[i][1], "x", 1) == 1);
            uv_poll_init(&loop, &polls[i], ends[i][0]);
            uv_poll_start(&polls[i], UV_READABLE, on_poll);
        }
        print("scenario %d", scenario);
        uv_run(&loop, UV_RUN_NOWAIT);
        print("calls %d", calls);
        if (scenario >= 3) uv_run(&loop, UV_RUN_NOWAIT);
        print("calls %d", calls);
        uv_walk(&loop, close_walked, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        for (int i = 0; i < 4; i++) close(ends[i / 2][i % 2]);
    }
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
