/* Readiness is reported in every iteration while it lasts, for the requested events only. */
#include "test.h"

#include <sys/socket.h>

static uv_loop_t loop;
static uv_poll_t poll;

static void on_poll(uv_poll_t *handle, int status, int events) {
    print("  %s %d, active %d", code(status), events, uv_is_active((uv_handle_t *)handle));
}

static void on_poll_other(uv_poll_t *handle, int status, int events) {
    (void)handle;
    print("  other callback: %s %d", code(status), events);
}

static void run(const char *title) {
    print("%s", title);
    for (int i = 0; i < 2; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    int ends[2];
    char byte;

    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    uv_loop_init(&loop);
    uv_poll_init(&loop, &poll, ends[0]);
    print("start %s", code(uv_poll_start(&poll, UV_READABLE, on_poll)));
    run("nothing");
    assert(write(ends[1], "x", 1) == 1);
    run("data");
    uv_poll_start(&poll, UV_WRITABLE, on_poll);
    run("writable");
    uv_poll_start(&poll, UV_READABLE | UV_WRITABLE, on_poll_other);
    run("both, another callback");
    assert(read(ends[0], &byte, 1) == 1);
    run("read");
    uv_poll_start(&poll, UV_READABLE | UV_DISCONNECT, on_poll);
    run("nothing");
    print("start with no events %s", code(uv_poll_start(&poll, 0, on_poll)));
    print("active %d", uv_is_active((uv_handle_t *)&poll));
    assert(write(ends[1], "x", 1) == 1);
    run("stopped");
    print("stop %s", code(uv_poll_stop(&poll)));
    uv_poll_start(&poll, UV_READABLE, on_poll);
    run("started again");
    print("stop %s", code(uv_poll_stop(&poll)));
    print("active %d", uv_is_active((uv_handle_t *)&poll));
    run("stopped");
    print("close %s", code(close_loop(&loop)));
    return 0;
}
