/* Several handles with one descriptor, and descriptors that the program closes or duplicates behind
 * the library's back. */
#include "net.h"

#include <fcntl.h>
#include <pty.h>

static uv_loop_t loop;

static int is_open(int fd) { return fcntl(fd, F_GETFD) != -1; }

static void shut(void *handle) {
    uv_close(handle, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    say("  %s reads %s", (const char *)stream->data, length_or_code(count));
    uv_read_stop(stream);
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    say("  poll %s %d", code(status), events);
    uv_poll_stop(poll);
}

static void open_twice(void) {
    uv_tcp_t one, other;
    uv_pipe_t pipe_;
    uv_udp_t udp;
    uv_poll_t poll;
    uv_tty_t tty;
    int ends[2];

    say("while one handle reads");
    tcp_sockets(ends);
    uv_tcp_init(&loop, &one);
    say("  open %s", code(uv_tcp_open(&one, ends[0])));
    say("  another socket %s", code(uv_tcp_open(&one, ends[1])));
    say("  it is blocking %d", !(fcntl(ends[1], F_GETFL) & O_NONBLOCK));
    say("  the same %s", code(uv_tcp_open(&one, ends[0])));
    one.data = "one";
    uv_read_start(STREAM(&one), on_alloc, on_read);
    say("  the same, reading %s", code(uv_tcp_open(&one, ends[0])));
    uv_tcp_init(&loop, &other);
    say("  tcp %s", code(uv_tcp_open(&other, ends[0])));
    uv_pipe_init(&loop, &pipe_, 0);
    say("  pipe %s", code(uv_pipe_open(&pipe_, ends[0])));
    uv_udp_init(&loop, &udp);
    say("  udp %s", code(uv_udp_open(&udp, ends[0])));
    say("  poll %s", code(uv_poll_init(&loop, &poll, ends[0])));
    say("  tty %s", code(uv_tty_init(&loop, &tty, ends[0], 1)));
    shut(&other);
    shut(&pipe_);
    shut(&udp);
    say("  open %d", is_open(ends[0]));
    shut(&tty);
    say("  open after the tty %d", is_open(ends[0]));
    uv_read_stop(STREAM(&one));
    shut(&one);
    close(ends[1]);

    say("a stream that has one");
    tcp_sockets(ends);
    uv_pipe_init(&loop, &pipe_, 0);
    say("  pipe %s", code(uv_pipe_open(&pipe_, ends[0])));
    say("  another %s", code(uv_pipe_open(&pipe_, ends[1])));
    say("  it is blocking %d", !(fcntl(ends[1], F_GETFL) & O_NONBLOCK));
    say("  a closed one %s", code(uv_pipe_open(&pipe_, 77)));
    uv_tcp_init_ex(&loop, &one, AF_INET);
    say("  a closed one %s", code(uv_tcp_open(&one, 77)));
    shut(&one);
    shut(&pipe_);
    close(ends[1]);
    uv_udp_init_ex(&loop, &udp, AF_INET);
    ends[0] = socket(AF_INET, SOCK_DGRAM, 0);
    say("  udp %s", code(uv_udp_open(&udp, ends[0])));
    say("  it is blocking %d", !(fcntl(ends[0], F_GETFL) & O_NONBLOCK));
    say("  a closed one %s", code(uv_udp_open(&udp, 77)));
    shut(&udp);
    close(ends[0]);

    say("while no handle reads");
    tcp_sockets(ends);
    uv_tcp_init(&loop, &one);
    uv_tcp_init(&loop, &other);
    say("  one %s", code(uv_tcp_open(&one, ends[0])));
    say("  other %s", code(uv_tcp_open(&other, ends[0])));
    shut(&one);
    say("  open %d", is_open(ends[0]));
    shut(&other);
    close(ends[1]);
}

static void take_turns(void) {
    uv_tcp_t one, other;
    uv_poll_t poll;
    int ends[2];

    say("one after the other");
    tcp_sockets(ends);
    uv_tcp_init(&loop, &one);
    uv_tcp_init(&loop, &other);
    one.data = "one", other.data = "other";
    say("  one %s", code(uv_tcp_open(&one, ends[0])));
    say("  other %s", code(uv_tcp_open(&other, ends[0])));
    for (int i = 0; i < 2; i++) {
        assert(write(ends[1], "x", 1) == 1);
        uv_read_start(STREAM(&one), on_alloc, on_read);
        uv_run(&loop, UV_RUN_ONCE);
        assert(write(ends[1], "xy", 2) == 2);
        uv_read_start(STREAM(&other), on_alloc, on_read);
        uv_run(&loop, UV_RUN_ONCE);
    }
    /* A stream that has stopped reading leaves its descriptor to a poll handle, and gets it back. */
    uv_read_start(STREAM(&one), on_alloc, on_read);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_read_stop(STREAM(&one));
    say("  poll %s", code(uv_poll_init(&loop, &poll, ends[0])));
    say("  start %s", code(uv_poll_start(&poll, UV_READABLE, on_poll)));
    assert(write(ends[1], "xyz", 3) == 3);
    uv_run(&loop, UV_RUN_ONCE);
    shut(&poll);
    uv_read_start(STREAM(&one), on_alloc, on_read);
    uv_run(&loop, UV_RUN_ONCE);
    shut(&one);
    shut(&other);
    close(ends[1]);
}

static void terminals(void) {
    uv_tty_t one, other;
    uv_poll_t poll;
    int controller, terminal;

    say("a terminal twice");
    assert(openpty(&controller, &terminal, NULL, NULL, NULL) == 0);
    say("  one %s", code(uv_tty_init(&loop, &one, terminal, 1)));
    one.data = "one";
    uv_read_start(STREAM(&one), on_alloc, on_read);
    say("  other %s", code(uv_tty_init(&loop, &other, terminal, 1)));
    other.data = "other";
    shut(&other);
    assert(write(controller, "x\n", 2) == 2);
    uv_run(&loop, UV_RUN_ONCE);
    shut(&one);
    say("  open %d", is_open(terminal));
    close(controller);
    close(terminal);

    say("the controlling side twice");
    assert(openpty(&controller, &terminal, NULL, NULL, NULL) == 0);
    say("  one %s", code(uv_tty_init(&loop, &one, controller, 1)));
    uv_read_start(STREAM(&one), on_alloc, on_read);
    say("  other %s", code(uv_tty_init(&loop, &other, controller, 1)));
    say("  start %s", code(uv_read_start(STREAM(&other), on_alloc, on_read)));
    assert(write(terminal, "x\n", 2) == 2);
    uv_run(&loop, UV_RUN_ONCE);
    uv_read_stop(STREAM(&one));
    uv_read_stop(STREAM(&other));
    shut(&other);
    say("  open %d", is_open(controller));
    shut(&one);
    close(terminal);

    say("a terminal that is polled");
    assert(openpty(&controller, &terminal, NULL, NULL, NULL) == 0);
    uv_poll_init(&loop, &poll, terminal);
    uv_poll_start(&poll, UV_READABLE, on_poll);
    say("  tty %s", code(uv_tty_init(&loop, &one, terminal, 1)));
    uv_poll_stop(&poll);
    shut(&one);
    shut(&poll);
    close(controller);
    close(terminal);
}

/* A duplicate keeps the registration of a descriptor that was closed. */
static void duplicates(int stops_first) {
    uv_poll_t one, other;
    int ends[2], copy;

    say("a duplicate, stopped first %d", stops_first);
    assert(pipe(ends) == 0);
    uv_poll_init(&loop, &one, ends[0]);
    uv_poll_start(&one, UV_READABLE, on_poll);
    uv_run(&loop, UV_RUN_NOWAIT);
    copy = dup(ends[0]);
    if (stops_first) uv_poll_stop(&one);
    close(ends[0]);
    if (!stops_first) uv_poll_stop(&one);
    shut(&one);
    assert(dup2(copy, ends[0]) == ends[0]);
    say("  init %s", code(uv_poll_init(&loop, &other, ends[0])));
    say("  start %s", code(uv_poll_start(&other, UV_READABLE, on_poll)));
    assert(write(ends[1], "x", 1) == 1);
    uv_run(&loop, UV_RUN_ONCE);
    shut(&other);
    close(ends[0]);
    close(ends[1]);
    close(copy);
}

static void closed_behind(void) {
    uv_pipe_t pipe_;
    uv_udp_t udp;
    int peer, fd;

    say("closed by the program");
    peer = pipe_with_peer(&loop, &pipe_);
    uv_fileno(HANDLE(&pipe_), &fd);
    close(fd);
    say("  write %s", code(uv_try_write(STREAM(&pipe_), &(uv_buf_t){"x", 1}, 1)));
    shut(&pipe_);
    close(peer);
    uv_udp_init_ex(&loop, &udp, AF_INET);
    uv_fileno(HANDLE(&udp), &fd);
    close(fd);
    shut(&udp);
}

int main(void) {
    uv_loop_init(&loop);
    open_twice();
    take_turns();
    terminals();
    duplicates(0);
    duplicates(1);
    closed_behind();
    say("finish %s", code(finish(&loop)));
    return 0;
}
