/* Writes, shutdowns and closes: their results, the order of their callbacks, and the state of the
 * stream. */
#include "net.h"

static union {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
} stream_;

static uv_loop_t loop;
static uv_write_t writes[16];
static uv_shutdown_t shutdowns[2];
static uv_connect_t connect_;
static int peer, count, is_local;
static int close_in, write_in, shut_down_in;
static char data[8 << 20];
static uv_buf_t many[3000];

static const char *queue(size_t most) {
    size_t size = stream_.stream.write_queue_size;
    return size == 0 ? "empty" : size < most ? "part" : "all";
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    print("    shut down %d %s, writable %d, readable %d", (int)(request - shutdowns), code(status),
          uv_is_writable(&stream_.stream), uv_is_readable(&stream_.stream));
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    print("    closed, queue %s", queue(1));
}

static void on_write(uv_write_t *request, int status);

static void write_bytes(size_t size) {
    uv_buf_t buffer = uv_buf_init(data, size);
    int result = uv_write(&writes[count], &stream_.stream, &buffer, 1, on_write);
    print("    write %d of %zu: %s, queue %s, writable %d, active %d", count++, size, code(result),
          queue(size), uv_is_writable(&stream_.stream), uv_is_active(&stream_.handle));
}

static void try_bytes(size_t size) {
    uv_buf_t buffer = uv_buf_init(data, size);
    int result = uv_try_write(&stream_.stream, &buffer, 1);
    print("    try %zu: %s", size, length_or_code(result));
}

static void shut_down(int n) {
    int result = uv_shutdown(&shutdowns[n], &stream_.stream, on_shutdown);
    print("    shutdown %d: %s, writable %d", n, code(result), uv_is_writable(&stream_.stream));
}

static void close_stream(void) {
    uv_close(&stream_.handle, on_close);
}

static void on_write(uv_write_t *request, int status) {
    int n = (int)(request - writes);
    print("    written %d %s, writable %d", n, code(status), uv_is_writable(&stream_.stream));
    if (n == close_in) close_stream();
    if (n == write_in) write_bytes(1), write_bytes(0), try_bytes(1);
    if (n == shut_down_in) shut_down(0);
}

static void run(void) {
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

static size_t drain(void) {
    size_t total = 0;
    ssize_t received;
    while ((received = recv(peer, read_buffer, sizeof read_buffer, MSG_DONTWAIT)) > 0)
        total += received;
    return total;
}

/* The buffers of the sockets are far smaller than `data`. */
static void make_small(int fd) {
    int size = 32 << 10;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

static void begin_scenario(const char *name) {
    uv_os_fd_t fd;
    print("  %s", name);
    count = 0;
    close_in = write_in = shut_down_in = -1;
    assert(uv_loop_init(&loop) == 0);
    peer = is_local ? pipe_with_peer(&loop, &stream_.pipe) : tcp_with_peer(&loop, &stream_.tcp);
    assert(uv_fileno(&stream_.handle, &fd) == 0);
    make_small(fd);
    make_small(peer);
}

static void begin_without_peer(const char *name) {
    print("  %s", name);
    count = 0;
    close_in = write_in = shut_down_in = -1;
    assert(uv_loop_init(&loop) == 0);
    if (is_local) assert(uv_pipe_init(&loop, &stream_.pipe, 0) == 0);
    else assert(uv_tcp_init(&loop, &stream_.tcp) == 0);
    peer = -1;
}

static void end_scenario(void) {
    run();
    if (!uv_is_closing(&stream_.handle)) print_stream_state("    end", &stream_);
    print("    close_loop %s", code(close_loop(&loop)));
    if (peer >= 0) close(peer);
}

static void small_writes(void) {
    begin_scenario("closed in the first callback");
    close_in = 0;
    write_bytes(1), write_bytes(1), write_bytes(1), shut_down(0);
    end_scenario();

    begin_scenario("written in the first callback");
    write_in = 0;
    write_bytes(1), write_bytes(1);
    end_scenario();

    begin_scenario("shut down in the first callback");
    shut_down_in = 0;
    write_bytes(1), write_bytes(1), try_bytes(1);
    end_scenario();

    begin_scenario("shut down twice");
    write_bytes(1), shut_down(0), shut_down(1), write_bytes(1), try_bytes(1);
    run();
    shut_down(1), write_bytes(1);
    end_scenario();

    begin_scenario("closed");
    write_bytes(1), write_bytes(2);
    close_stream();
    write_bytes(1), try_bytes(1), shut_down(0);
    end_scenario();
}

static void large_writes(void) {
    begin_scenario("large, closed");
    write_bytes(sizeof data), write_bytes(1), write_bytes(0), shut_down(0), try_bytes(1);
    close_stream();
    end_scenario();

    begin_scenario("large, run, closed");
    write_bytes(sizeof data), write_bytes(1), write_bytes(0);
    run();
    shut_down(0), try_bytes(1);
    run();
    close_stream();
    end_scenario();

    begin_scenario("large, read by the peer");
    write_bytes(sizeof data), write_bytes(5), write_bytes(0), shut_down(0);
    size_t received = 0;
    while (received < sizeof data + 5) {
        received += drain();
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    print("    received %zu", received);
    end_scenario();
}

/* The peer is closed, which a local socket detects at once. */
static void closed_peer(void) {
    begin_scenario("large, the peer closes");
    write_bytes(sizeof data), write_bytes(1), write_bytes(0), write_bytes(3), shut_down(0);
    close(peer), peer = -1;
    end_scenario();

    begin_scenario("large, the peer closes, written in the callback");
    write_in = 0;
    write_bytes(sizeof data), write_bytes(1);
    close(peer), peer = -1;
    end_scenario();

    begin_scenario("large, the peer closes, closed in the callback");
    close_in = 0;
    write_bytes(sizeof data), write_bytes(1), write_bytes(2), shut_down(0);
    close(peer), peer = -1;
    end_scenario();

    begin_scenario("large, the peer closes, closed in the second callback");
    close_in = 1;
    write_bytes(sizeof data), write_bytes(1), write_bytes(2), shut_down(0);
    close(peer), peer = -1;
    end_scenario();

    begin_scenario("the peer has closed");
    close(peer), peer = -1;
    write_bytes(1), write_bytes(1), write_bytes(0), write_bytes(1), shut_down(0);
    end_scenario();

    begin_scenario("the peer has closed, run");
    close(peer), peer = -1;
    write_bytes(1), run(), write_bytes(1), run(), write_bytes(1), try_bytes(1), shut_down(0);
    end_scenario();

    begin_scenario("the peer has closed, try");
    close(peer), peer = -1;
    try_bytes(1), try_bytes(1), write_bytes(1);
    end_scenario();

    begin_scenario("the peer has closed, shutdown");
    close(peer), peer = -1;
    shut_down(0);
    end_scenario();
}

static void many_buffers(void) {
    for (int some = 1; some <= 3; some += 2) {
        begin_scenario("more buffers than one call takes");
        for (int i = 0; i < 3000; i++) many[i] = uv_buf_init(data, i % some == 0);
        /* The last buffer is not empty. */
        many[2999] = uv_buf_init(data, 1);
        int result = uv_write(&writes[0], &stream_.stream, many, 3000, on_write);
        print("    write %s, queue %zu", code(result), stream_.stream.write_queue_size);
        run();
        print("    received %zu", drain());
        print("    try %d", uv_try_write(&stream_.stream, many, 3000));
        print("    received %zu", drain());
        end_scenario();
    }
}

static void without_peer(void) {
    begin_without_peer("no descriptor");
    write_bytes(1), try_bytes(1), write_bytes(0), try_bytes(0), shut_down(0);
    end_scenario();

    begin_without_peer("not connected");
    int fd = socket(is_local ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
    if (is_local) print("    open %s", code(uv_pipe_open(&stream_.pipe, fd)));
    else print("    open %s", code(uv_tcp_open(&stream_.tcp, fd)));
    write_bytes(1), try_bytes(1), write_bytes(0), try_bytes(0);
    run();
    shut_down(0);
    end_scenario();
}

static void on_connection(uv_stream_t *server, int status) {
    (void)server;
    (void)status;
}

static void on_connect(uv_connect_t *request, int status) {
    (void)request;
    print("    connected %s, writable %d", code(status), uv_is_writable(&stream_.stream));
}

static void connecting(void) {
    uv_tcp_t server;
    struct sockaddr_in address;

    begin_without_peer("connecting, closed");
    address = listen_on_loopback(&loop, &server, on_connection);
    print("    connect %s",
          code(uv_tcp_connect(&connect_, &stream_.tcp, SOCKADDR(&address), on_connect)));
    write_bytes(1), try_bytes(1), write_bytes(0), try_bytes(0), write_bytes(7);
    close_stream();
    end_scenario();

    begin_without_peer("refused");
    address = unused_address();
    print("    connect %s",
          code(uv_tcp_connect(&connect_, &stream_.tcp, SOCKADDR(&address), on_connect)));
    write_bytes(1), write_bytes(0), write_bytes(7), try_bytes(1);
    uv_run(&loop, UV_RUN_DEFAULT);
    end_scenario();

    begin_without_peer("bound");
    address = loopback(0);
    uv_tcp_bind(&stream_.tcp, SOCKADDR(&address), 0);
    write_bytes(1), try_bytes(1), write_bytes(0), try_bytes(0), shut_down(0);
    end_scenario();

    print("  listening");
    count = 0;
    assert(uv_loop_init(&loop) == 0);
    address = listen_on_loopback(&loop, &stream_.tcp, on_connection);
    write_bytes(1), try_bytes(1), write_bytes(0), try_bytes(0), shut_down(0);
    end_scenario();
}

/* uv_write2 with closing handles and with empty writes. */
static void passing(int is_peer_closed) {
    int ends[2];
    uv_tcp_t passed;
    uv_buf_t byte = uv_buf_init("x", 1), none = uv_buf_init("", 0);
    print("  passing a handle, peer closed %d", is_peer_closed);
    assert(uv_loop_init(&loop) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(uv_pipe_init(&loop, &stream_.pipe, 1) == 0);
    assert(uv_pipe_open(&stream_.pipe, ends[0]) == 0);
    peer = ends[1];
    if (is_peer_closed) close(peer), peer = -1;
    close(tcp_with_peer(&loop, &passed));
    print("    write2 %s",
          code(uv_write2(&writes[0], &stream_.stream, &byte, 1, STREAM(&passed), on_write)));
    print("    write2 of no bytes %s",
          code(uv_write2(&writes[1], &stream_.stream, &none, 1, STREAM(&passed), on_write)));
    uv_close(HANDLE(&passed), NULL);
    print("    write2 of a closing handle %s",
          code(uv_write2(&writes[2], &stream_.stream, &byte, 1, STREAM(&passed), on_write)));
    run();
    if (!is_peer_closed) print("    received %zu", drain());
    end_scenario();
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    for (is_local = 0; is_local <= 1; is_local++) {
        print(is_local ? "local" : "tcp");
        small_writes();
        large_writes();
        many_buffers();
        without_peer();
        if (is_local) closed_peer();
        else connecting();
    }
    passing(0);
    passing(1);
    return 0;
}
