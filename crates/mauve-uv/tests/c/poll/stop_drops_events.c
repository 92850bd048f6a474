/* Of two descriptors ready at once, the callback of the first to be called stops, closes or
 * restarts the other: no event that was collected before is told. */
#include "say.h"

static uv_loop_t loop;
static uv_poll_t polls[2];
static int scene, calls;

static void other(uv_poll_t *poll, int status, int events) {
    (void)poll;
    say("  other callback %s %d", code(status), events);
    calls++;
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    uv_poll_t *sibling = &polls[poll == &polls[0]];
    say("  %s %d", code(status), events);
    if (calls++ > 0) return;
    if (scene == 0) uv_poll_stop(sibling);
    if (scene == 1) uv_close((uv_handle_t *)sibling, NULL);
    if (scene == 2) uv_poll_start(sibling, UV_DISCONNECT, on_poll);
    if (scene == 3) uv_poll_start(sibling, UV_READABLE, other);
    if (scene == 4) uv_poll_start(sibling, 0, on_poll);
    if (scene == 5) {
        uv_poll_stop(sibling);
        uv_poll_start(sibling, UV_READABLE, other);
    }
}

int main(void) {
    uv_loop_init(&loop);
    for (scene = 0; scene < 6; scene++) {
        int ends[2][2];
        calls = 0;
        for (int i = 0; i < 2; i++) {
            assert(pipe(ends[i]) == 0 && write(ends[i][1], "x", 1) == 1);
            uv_poll_init(&loop, &polls[i], ends[i][0]);
            uv_poll_start(&polls[i], UV_READABLE, on_poll);
        }
        say("scene %d", scene);
        uv_run(&loop, UV_RUN_NOWAIT);
        say("calls %d", calls);
        if (scene >= 3) uv_run(&loop, UV_RUN_NOWAIT);
        say("calls %d", calls);
        uv_walk(&loop, close_walked, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        for (int i = 0; i < 4; i++) close(ends[i / 2][i % 2]);
    }
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
