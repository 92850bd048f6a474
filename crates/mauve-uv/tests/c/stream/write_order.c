/* Writes, shutdowns and closes: what each returns, in which order they end, and what the stream says
 * meanwhile. */
#include "net.h"

static union {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
} own;

static uv_loop_t loop;
static uv_write_t writes[16];
static uv_shutdown_t shutdowns[2];
static uv_connect_t connect_;
static int peer, count, is_local;
static int close_in, write_in, shut_down_in;
static char data[8 << 20];
static uv_buf_t many[3000];

static const char *queue(size_t most) {
    size_t size = own.stream.write_queue_size;
    return size == 0 ? "empty" : size < most ? "part" : "all";
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    say("    shut down %d %s, writable %d, readable %d", (int)(request - shutdowns), code(status),
        uv_is_writable(&own.stream), uv_is_readable(&own.stream));
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    say("    closed, queue %s", queue(1));
}

static void on_write(uv_write_t *request, int status);

static void put(size_t size) {
    uv_buf_t buffer = uv_buf_init(data, size);
    int result = uv_write(&writes[count], &own.stream, &buffer, 1, on_write);
    say("    write %d of %zu: %s, queue %s, writable %d, active %d", count++, size, code(result),
        queue(size), uv_is_writable(&own.stream), uv_is_active(&own.handle));
}

static void try_to_put(size_t size) {
    uv_buf_t buffer = uv_buf_init(data, size);
    int result = uv_try_write(&own.stream, &buffer, 1);
    say("    try %zu: %s", size, length_or_code(result));
}

static void shut_down(int n) {
    int result = uv_shutdown(&shutdowns[n], &own.stream, on_shutdown);
    say("    shutdown %d: %s, writable %d", n, code(result), uv_is_writable(&own.stream));
}

static void close_it(void) {
    uv_close(&own.handle, on_close);
}

static void on_write(uv_write_t *request, int status) {
    int n = (int)(request - writes);
    say("    written %d %s, writable %d", n, code(status), uv_is_writable(&own.stream));
    if (n == close_in) close_it();
    if (n == write_in) put(1), put(0), try_to_put(1);
    if (n == shut_down_in) shut_down(0);
}

static void run(void) {
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

static size_t drain(void) {
    size_t total = 0;
    ssize_t got;
    while ((got = recv(peer, room, sizeof room, MSG_DONTWAIT)) > 0) total += got;
    return total;
}

/* The buffers of the sockets are far smaller than `data`. */
static void make_small(int fd) {
    int size = 32 << 10;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

static void begin(const char *name) {
    uv_os_fd_t fd;
    say("  %s", name);
    count = 0;
    close_in = write_in = shut_down_in = -1;
    assert(uv_loop_init(&loop) == 0);
    peer = is_local ? pipe_with_peer(&loop, &own.pipe) : tcp_with_peer(&loop, &own.tcp);
    assert(uv_fileno(&own.handle, &fd) == 0);
    make_small(fd);
    make_small(peer);
}

static void begin_without_peer(const char *name) {
    say("  %s", name);
    count = 0;
    close_in = write_in = shut_down_in = -1;
    assert(uv_loop_init(&loop) == 0);
    if (is_local) assert(uv_pipe_init(&loop, &own.pipe, 0) == 0);
    else assert(uv_tcp_init(&loop, &own.tcp) == 0);
    peer = -1;
}

static void end(void) {
    run();
    if (!uv_is_closing(&own.handle)) state("    end", &own);
    say("    finish %s", code(finish(&loop)));
    if (peer >= 0) close(peer);
}

static void small_writes(void) {
    begin("closed in the first callback");
    close_in = 0;
    put(1), put(1), put(1), shut_down(0);
    end();

    begin("written to in the first callback");
    write_in = 0;
    put(1), put(1);
    end();

    begin("shut down in the first callback");
    shut_down_in = 0;
    put(1), put(1), try_to_put(1);
    end();

    begin("shut down twice");
    put(1), shut_down(0), shut_down(1), put(1), try_to_put(1);
    run();
    shut_down(1), put(1);
    end();

    begin("closed");
    put(1), put(2);
    close_it();
    put(1), try_to_put(1), shut_down(0);
    end();
}

static void large_writes(void) {
    begin("large, closed");
    put(sizeof data), put(1), put(0), shut_down(0), try_to_put(1);
    close_it();
    end();

    begin("large, run, closed");
    put(sizeof data), put(1), put(0);
    run();
    shut_down(0), try_to_put(1);
    run();
    close_it();
    end();

    begin("large, read by the peer");
    put(sizeof data), put(5), put(0), shut_down(0);
    size_t got = 0;
    while (got < sizeof data + 5) {
        got += drain();
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    say("    got %zu", got);
    end();
}

/* The peer is gone; a local socket knows at once. */
static void dead_peer(void) {
    begin("large, the peer closes");
    put(sizeof data), put(1), put(0), put(3), shut_down(0);
    close(peer), peer = -1;
    end();

    begin("large, the peer closes, written to in the callback");
    write_in = 0;
    put(sizeof data), put(1);
    close(peer), peer = -1;
    end();

    begin("large, the peer closes, closed in the callback");
    close_in = 0;
    put(sizeof data), put(1), put(2), shut_down(0);
    close(peer), peer = -1;
    end();

    begin("large, the peer closes, closed in the second callback");
    close_in = 1;
    put(sizeof data), put(1), put(2), shut_down(0);
    close(peer), peer = -1;
    end();

    begin("the peer has closed");
    close(peer), peer = -1;
    put(1), put(1), put(0), put(1), shut_down(0);
    end();

    begin("the peer has closed, run");
    close(peer), peer = -1;
    put(1), run(), put(1), run(), put(1), try_to_put(1), shut_down(0);
    end();

    begin("the peer has closed, try");
    close(peer), peer = -1;
    try_to_put(1), try_to_put(1), put(1);
    end();

    begin("the peer has closed, shutdown");
    close(peer), peer = -1;
    shut_down(0);
    end();
}

static void many_buffers(void) {
    for (int some = 1; some <= 3; some += 2) {
        begin("more buffers than one call takes");
        for (int i = 0; i < 3000; i++) many[i] = uv_buf_init(data, i % some == 0);
        /* The last one has a byte. */
        many[2999] = uv_buf_init(data, 1);
        int result = uv_write(&writes[0], &own.stream, many, 3000, on_write);
        say("    write %s, queue %zu", code(result), own.stream.write_queue_size);
        run();
        say("    got %zu", drain());
        say("    try %d", uv_try_write(&own.stream, many, 3000));
        say("    got %zu", drain());
        end();
    }
}

static void without_peer(void) {
    begin_without_peer("no descriptor");
    put(1), try_to_put(1), put(0), try_to_put(0), shut_down(0);
    end();

    begin_without_peer("not connected");
    int fd = socket(is_local ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
    if (is_local) say("    open %s", code(uv_pipe_open(&own.pipe, fd)));
    else say("    open %s", code(uv_tcp_open(&own.tcp, fd)));
    put(1), try_to_put(1), put(0), try_to_put(0);
    run();
    shut_down(0);
    end();
}

static void on_connection(uv_stream_t *server, int status) {
    (void)server;
    (void)status;
}

static void on_connect(uv_connect_t *request, int status) {
    (void)request;
    say("    connected %s, writable %d", code(status), uv_is_writable(&own.stream));
}

static void connecting(void) {
    uv_tcp_t server;
    struct sockaddr_in address;

    begin_without_peer("connecting, closed");
    address = serve(&loop, &server, on_connection);
    say("    connect %s",
        code(uv_tcp_connect(&connect_, &own.tcp, SOCKADDR(&address), on_connect)));
    put(1), try_to_put(1), put(0), try_to_put(0), put(7);
    close_it();
    end();

    begin_without_peer("refused");
    address = nobody();
    say("    connect %s",
        code(uv_tcp_connect(&connect_, &own.tcp, SOCKADDR(&address), on_connect)));
    put(1), put(0), put(7), try_to_put(1);
    uv_run(&loop, UV_RUN_DEFAULT);
    end();

    begin_without_peer("bound");
    address = loopback(0);
    uv_tcp_bind(&own.tcp, SOCKADDR(&address), 0);
    put(1), try_to_put(1), put(0), try_to_put(0), shut_down(0);
    end();

    say("  listening");
    count = 0;
    assert(uv_loop_init(&loop) == 0);
    address = serve(&loop, &own.tcp, on_connection);
    put(1), try_to_put(1), put(0), try_to_put(0), shut_down(0);
    end();
}

/* Handles that are closing, and writes without bytes, over a pipe for handles. */
static void passing(int is_dead) {
    int ends[2];
    uv_tcp_t passed;
    uv_buf_t byte = uv_buf_init("x", 1), none = uv_buf_init("", 0);
    say("  passing a handle, dead %d", is_dead);
    assert(uv_loop_init(&loop) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(uv_pipe_init(&loop, &own.pipe, 1) == 0);
    assert(uv_pipe_open(&own.pipe, ends[0]) == 0);
    peer = ends[1];
    if (is_dead) close(peer), peer = -1;
    close(tcp_with_peer(&loop, &passed));
    say("    write2 %s", code(uv_write2(&writes[0], &own.stream, &byte, 1, STREAM(&passed), on_write)));
    say("    write2 of no bytes %s",
        code(uv_write2(&writes[1], &own.stream, &none, 1, STREAM(&passed), on_write)));
    uv_close(HANDLE(&passed), NULL);
    say("    write2 of a closing handle %s",
        code(uv_write2(&writes[2], &own.stream, &byte, 1, STREAM(&passed), on_write)));
    run();
    if (!is_dead) say("    got %zu", drain());
    end();
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    for (is_local = 0; is_local <= 1; is_local++) {
        say(is_local ? "local" : "tcp");
        small_writes();
        large_writes();
        many_buffers();
        without_peer();
        if (is_local) dead_peer();
        else connecting();
    }
    passing(0);
    passing(1);
    return 0;
}
