/* Several handles with one descriptor, and descriptors that the program closes or duplicates. */
#include "net.h"

#include <fcntl.h>
#include <pty.h>

static uv_loop_t loop;

static int is_open(int fd) { return fcntl(fd, F_GETFD) != -1; }

static void close_and_run(void *handle) {
    uv_close(handle, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("  %s reads %s", (const char *)stream->data, length_or_code(count));
    uv_read_stop(stream);
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    print("  poll %s %d", code(status), events);
    uv_poll_stop(poll);
}

static void open_twice(void) {
    uv_tcp_t first, second;
    uv_pipe_t pipe_;
    uv_udp_t udp;
    uv_poll_t poll;
    uv_tty_t tty;
    int ends[2];

    print("while one handle reads");
    tcp_sockets(ends);
    uv_tcp_init(&loop, &first);
    print("  open %s", code(uv_tcp_open(&first, ends[0])));
    print("  another socket %s", code(uv_tcp_open(&first, ends[1])));
    print("  blocking %d", !(fcntl(ends[1], F_GETFL) & O_NONBLOCK));
    print("  the same %s", code(uv_tcp_open(&first, ends[0])));
    first.data = "one";
    uv_read_start(STREAM(&first), on_alloc, on_read);
    print("  the same, reading %s", code(uv_tcp_open(&first, ends[0])));
    uv_tcp_init(&loop, &second);
    print("  tcp %s", code(uv_tcp_open(&second, ends[0])));
    uv_pipe_init(&loop, &pipe_, 0);
    print("  pipe %s", code(uv_pipe_open(&pipe_, ends[0])));
    uv_udp_init(&loop, &udp);
    print("  udp %s", code(uv_udp_open(&udp, ends[0])));
    print("  poll %s", code(uv_poll_init(&loop, &poll, ends[0])));
    print("  tty %s", code(uv_tty_init(&loop, &tty, ends[0], 1)));
    close_and_run(&second);
    close_and_run(&pipe_);
    close_and_run(&udp);
    print("  open %d", is_open(ends[0]));
    close_and_run(&tty);
    print("  open after the tty %d", is_open(ends[0]));
    uv_read_stop(STREAM(&first));
    close_and_run(&first);
    close(ends[1]);

    print("a stream that has a descriptor");
    tcp_sockets(ends);
    uv_pipe_init(&loop, &pipe_, 0);
    print("  pipe %s", code(uv_pipe_open(&pipe_, ends[0])));
    print("  another %s", code(uv_pipe_open(&pipe_, ends[1])));
    print("  blocking %d", !(fcntl(ends[1], F_GETFL) & O_NONBLOCK));
    print("  a closed one %s", code(uv_pipe_open(&pipe_, 77)));
    uv_tcp_init_ex(&loop, &first, AF_INET);
    print("  a closed one %s", code(uv_tcp_open(&first, 77)));
    close_and_run(&first);
    close_and_run(&pipe_);
    close(ends[1]);
    uv_udp_init_ex(&loop, &udp, AF_INET);
    ends[0] = socket(AF_INET, SOCK_DGRAM, 0);
    print("  udp %s", code(uv_udp_open(&udp, ends[0])));
    print("  blocking %d", !(fcntl(ends[0], F_GETFL) & O_NONBLOCK));
    print("  a closed one %s", code(uv_udp_open(&udp, 77)));
    close_and_run(&udp);
    close(ends[0]);

    print("while no handle reads");
    tcp_sockets(ends);
    uv_tcp_init(&loop, &first);
    uv_tcp_init(&loop, &second);
    print("  one %s", code(uv_tcp_open(&first, ends[0])));
    print("  other %s", code(uv_tcp_open(&second, ends[0])));
    close_and_run(&first);
    print("  open %d", is_open(ends[0]));
    close_and_run(&second);
    close(ends[1]);
}

static void read_alternately(void) {
    uv_tcp_t first, second;
    uv_poll_t poll;
    int ends[2];

    print("reading alternately");
    tcp_sockets(ends);
    uv_tcp_init(&loop, &first);
    uv_tcp_init(&loop, &second);
    first.data = "one", second.data = "other";
    print("  one %s", code(uv_tcp_open(&first, ends[0])));
    print("  other %s", code(uv_tcp_open(&second, ends[0])));
    for (int i = 0; i < 2; i++) {
        assert(write(ends[1], "x", 1) == 1);
        uv_read_start(STREAM(&first), on_alloc, on_read);
        uv_run(&loop, UV_RUN_ONCE);
        assert(write(ends[1], "xy", 2) == 2);
        uv_read_start(STREAM(&second), on_alloc, on_read);
        uv_run(&loop, UV_RUN_ONCE);
    }
    /* After uv_read_stop, a poll handle can use the descriptor; then the stream reads again. */
    uv_read_start(STREAM(&first), on_alloc, on_read);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_read_stop(STREAM(&first));
    print("  poll %s", code(uv_poll_init(&loop, &poll, ends[0])));
    print("  start %s", code(uv_poll_start(&poll, UV_READABLE, on_poll)));
    assert(write(ends[1], "xyz", 3) == 3);
    uv_run(&loop, UV_RUN_ONCE);
    close_and_run(&poll);
    uv_read_start(STREAM(&first), on_alloc, on_read);
    uv_run(&loop, UV_RUN_ONCE);
    close_and_run(&first);
    close_and_run(&second);
    close(ends[1]);
}

static void terminals(void) {
    uv_tty_t first, second;
    uv_poll_t poll;
    int controller, terminal;

    print("two tty handles of a pty slave");
    assert(openpty(&controller, &terminal, NULL, NULL, NULL) == 0);
    print("  one %s", code(uv_tty_init(&loop, &first, terminal, 1)));
    first.data = "one";
    uv_read_start(STREAM(&first), on_alloc, on_read);
    print("  other %s", code(uv_tty_init(&loop, &second, terminal, 1)));
    second.data = "other";
    close_and_run(&second);
    assert(write(controller, "x\n", 2) == 2);
    uv_run(&loop, UV_RUN_ONCE);
    close_and_run(&first);
    print("  open %d", is_open(terminal));
    close(controller);
    close(terminal);

    print("two tty handles of a pty master");
    assert(openpty(&controller, &terminal, NULL, NULL, NULL) == 0);
    print("  one %s", code(uv_tty_init(&loop, &first, controller, 1)));
    uv_read_start(STREAM(&first), on_alloc, on_read);
    print("  other %s", code(uv_tty_init(&loop, &second, controller, 1)));
    print("  start %s", code(uv_read_start(STREAM(&second), on_alloc, on_read)));
    assert(write(terminal, "x\n", 2) == 2);
    uv_run(&loop, UV_RUN_ONCE);
    uv_read_stop(STREAM(&first));
    uv_read_stop(STREAM(&second));
    close_and_run(&second);
    print("  open %d", is_open(controller));
    close_and_run(&first);
    close(terminal);

    print("tty of a polled descriptor");
    assert(openpty(&controller, &terminal, NULL, NULL, NULL) == 0);
    uv_poll_init(&loop, &poll, terminal);
    uv_poll_start(&poll, UV_READABLE, on_poll);
    print("  tty %s", code(uv_tty_init(&loop, &first, terminal, 1)));
    uv_poll_stop(&poll);
    close_and_run(&first);
    close_and_run(&poll);
    close(controller);
    close(terminal);
}

/* A duplicate keeps the epoll registration of a closed descriptor. */
static void duplicates(int stops_first) {
    uv_poll_t first, second;
    int ends[2], copy;

    print("a duplicate, stopped first %d", stops_first);
    assert(pipe(ends) == 0);
    uv_poll_init(&loop, &first, ends[0]);
    uv_poll_start(&first, UV_READABLE, on_poll);
    uv_run(&loop, UV_RUN_NOWAIT);
    copy = dup(ends[0]);
    if (stops_first) uv_poll_stop(&first);
    close(ends[0]);
    if (!stops_first) uv_poll_stop(&first);
    close_and_run(&first);
    assert(dup2(copy, ends[0]) == ends[0]);
    print("  init %s", code(uv_poll_init(&loop, &second, ends[0])));
    print("  start %s", code(uv_poll_start(&second, UV_READABLE, on_poll)));
    assert(write(ends[1], "x", 1) == 1);
    uv_run(&loop, UV_RUN_ONCE);
    close_and_run(&second);
    close(ends[0]);
    close(ends[1]);
    close(copy);
}

static void closed_by_program(void) {
    uv_pipe_t pipe_;
    uv_udp_t udp;
    int peer, fd;

    print("closed by the program");
    peer = pipe_with_peer(&loop, &pipe_);
    uv_fileno(HANDLE(&pipe_), &fd);
    close(fd);
    print("  write %s", code(uv_try_write(STREAM(&pipe_), &(uv_buf_t){"x", 1}, 1)));
    close_and_run(&pipe_);
    close(peer);
    uv_udp_init_ex(&loop, &udp, AF_INET);
    uv_fileno(HANDLE(&udp), &fd);
    close(fd);
    close_and_run(&udp);
}

int main(void) {
    uv_loop_init(&loop);
    open_twice();
    read_alternately();
    terminals();
    duplicates(0);
    duplicates(1);
    closed_by_program();
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
