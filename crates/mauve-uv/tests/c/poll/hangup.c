/* The peer goes: completely, with its writing side only, leaving data behind; sockets and pipes. */
#include "say.h"

#include <sys/socket.h>

static uv_loop_t loop;

static void on_poll(uv_poll_t *poll, int status, int events) {
    say("    %s %d, active %d", code(status), events, uv_is_active((uv_handle_t *)poll));
}

static void socket_closed(int *ends) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    close(ends[1]);
}

static void socket_shut_down(int *ends) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    shutdown(ends[1], SHUT_WR);
}

static void socket_closed_with_data(int *ends) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(write(ends[1], "x", 1) == 1);
    close(ends[1]);
}

static void no_writer(int *ends) {
    assert(pipe(ends) == 0);
    close(ends[1]);
}

static void no_writer_with_data(int *ends) {
    assert(pipe(ends) == 0);
    assert(write(ends[1], "x", 1) == 1);
    close(ends[1]);
}

static void no_reader(int *ends) {
    assert(pipe(ends) == 0);
    close(ends[0]);
    ends[0] = ends[1];
}

static void scene(const char *title, void (*make)(int *)) {
    static const int masks[] = {UV_READABLE, UV_WRITABLE, UV_DISCONNECT,
                                UV_READABLE | UV_WRITABLE, UV_READABLE | UV_DISCONNECT};
    say("%s", title);
    for (size_t i = 0; i < COUNT(masks); i++) {
        uv_poll_t poll;
        int ends[2];
        make(ends);
        say("  mask %d: %s", masks[i], code(uv_poll_init(&loop, &poll, ends[0])));
        uv_poll_start(&poll, masks[i], on_poll);
        for (int n = 0; n < 2; n++) uv_run(&loop, UV_RUN_NOWAIT);
        uv_close((uv_handle_t *)&poll, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        close(ends[0]);
    }
}

int main(void) {
    uv_loop_init(&loop);
    scene("socket closed", socket_closed);
    scene("socket shut down", socket_shut_down);
    scene("socket closed with data", socket_closed_with_data);
    scene("pipe without writer", no_writer);
    scene("pipe without writer, with data", no_writer_with_data);
    scene("pipe without reader", no_reader);
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
