/* A poll handle is started again while its event is pending in the current poll phase. Its descriptor is
 * registered in the next poll phase, after the descriptors that became ready before it. */
#include "net.h"

static uv_poll_t first, again, last;
static int peers[3];

static void on_last(uv_poll_t *handle, int status, int events) {
    print("last: %s %d", code(status), events);
    uv_poll_stop(handle);
}

static void on_again(uv_poll_t *handle, int status, int events) {
    print("again: %s %d", code(status), events);
    uv_poll_stop(handle);
}

static void on_first(uv_poll_t *handle, int status, int events) {
    print("first: %s %d", code(status), events);
    uv_poll_stop(handle);
    print("start again: %s", code(uv_poll_start(&again, UV_READABLE, on_again)));
    assert(write(peers[1], "x", 1) == 1);
}

static void init(uv_loop_t *loop, uv_poll_t *handle, int *peer) {
    int ends[2];
    local_sockets(ends);
    uv_poll_init(loop, handle, ends[0]);
    *peer = ends[1];
}

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    init(&loop, &first, &peers[0]);
    init(&loop, &again, &peers[1]);
    init(&loop, &last, &peers[2]);
    uv_poll_start(&first, UV_WRITABLE, on_first);
    uv_poll_start(&again, UV_WRITABLE, on_again);
    uv_poll_start(&last, UV_READABLE, on_last);
    print("run: %d", uv_run(&loop, UV_RUN_NOWAIT));
    assert(write(peers[2], "x", 1) == 1);
    print("run: %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("close: %s", code(close_loop(&loop)));
    return 0;
}
