/* Readiness is told again and again while it lasts, and only as far as it was asked for. */
#include "say.h"

#include <sys/socket.h>

static uv_loop_t loop;
static uv_poll_t poll;

static void on_poll(uv_poll_t *handle, int status, int events) {
    say("  %s %d, active %d", code(status), events, uv_is_active((uv_handle_t *)handle));
}

static void other(uv_poll_t *handle, int status, int events) {
    (void)handle;
    say("  other callback: %s %d", code(status), events);
}

static void run(const char *title) {
    say("%s", title);
    for (int i = 0; i < 2; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    int ends[2];
    char byte;

    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    uv_loop_init(&loop);
    uv_poll_init(&loop, &poll, ends[0]);
    say("start %s", code(uv_poll_start(&poll, UV_READABLE, on_poll)));
    run("nothing");
    assert(write(ends[1], "x", 1) == 1);
    run("data");
    uv_poll_start(&poll, UV_WRITABLE, on_poll);
    run("room");
    uv_poll_start(&poll, UV_READABLE | UV_WRITABLE, other);
    run("both, another callback");
    assert(read(ends[0], &byte, 1) == 1);
    run("read");
    uv_poll_start(&poll, UV_READABLE | UV_DISCONNECT, on_poll);
    run("nothing");
    say("start with no events %s", code(uv_poll_start(&poll, 0, on_poll)));
    say("active %d", uv_is_active((uv_handle_t *)&poll));
    assert(write(ends[1], "x", 1) == 1);
    run("stopped");
    say("stop %s", code(uv_poll_stop(&poll)));
    uv_poll_start(&poll, UV_READABLE, on_poll);
    run("started again");
    say("stop %s", code(uv_poll_stop(&poll)));
    say("active %d", uv_is_active((uv_handle_t *)&poll));
    run("stopped");
    say("close %s", code(finish(&loop)));
    return 0;
}
