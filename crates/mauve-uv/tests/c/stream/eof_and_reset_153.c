/* needs: 1.53 */
/* How a closed peer is reported: data first, then UV_EOF, or UV_ECONNRESET after a reset (1.44
 * reported UV_EOF). A hang-up without data is UV_EOF with a null buffer. After a buffer that was
 * not filled, the end is reported in the next iteration. */
#include "net.h"

#include <pty.h>

static uv_loop_t loop;
static uv_tcp_t server, accepted, tcp;
static uv_pipe_t local;
static uv_tty_t tty;
static uv_connect_t connect_;
static int iteration, last_bytes, peer, listener;
static size_t size;

static void on_prepare(uv_prepare_t *prepare) {
    (void)prepare;
    iteration++;
}

static void on_size(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
    (void)handle, (void)suggested;
    *buffer = uv_buf_init(read_buffer, size);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    record_event(length_or_code(count));
    if (count > 0) {
        /* After a full buffer the stream is read again at once. */
        last_bytes = (size_t)count < size ? iteration : 0;
        return;
    }
    if (buffer->base == NULL) record_event("unbuffered");
    EXPECT(last_bytes == 0 || iteration == last_bytes + 1, 1);
    /* The stream is still reading when an error is reported, but not for UV_EOF. */
    EXPECT(uv_is_active(HANDLE(stream)), count != UV_EOF);
    EXPECT(uv_is_readable(stream), count == UV_EOF);
    uv_close(HANDLE(stream), NULL);
}

static void read_all(void *stream) {
    iteration = last_bytes = 0;
    EXPECT(uv_read_start(stream, on_size, on_read), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
}

static void on_connection(uv_stream_t *stream, int status) {
    EXPECT(status, 0);
    EXPECT(uv_tcp_init(&loop, &accepted), 0);
    EXPECT(uv_accept(stream, STREAM(&accepted)), 0);
    EXPECT(uv_read_start(STREAM(&accepted), on_size, on_read), 0);
    uv_close(HANDLE(stream), NULL);
}

static void on_connect(uv_connect_t *request, int status) {
    EXPECT(status, 0);
    peer = accept(listener, NULL, NULL);
    EXPECT(write(peer, "hello", 5), 5);
    reset_connection(peer);
    EXPECT(uv_read_start(request->handle, on_size, on_read), 0);
}

static void check_resets(const char *wanted) {
    peer = tcp_with_peer(&loop, &tcp);
    EXPECT(write(peer, "hello", 5), 5);
    reset_connection(peer);
    read_all(&tcp);
    EXPECT_EVENTS(wanted);

    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    peer = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(connect(peer, SOCKADDR(&address), sizeof address), 0);
    EXPECT(write(peer, "hello", 5), 5);
    reset_connection(peer);
    last_bytes = 0;
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT_EVENTS(wanted);

    socklen_t length = sizeof address;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    address = loopback(0);
    EXPECT(bind(listener, SOCKADDR(&address), sizeof address), 0);
    EXPECT(listen(listener, 1), 0);
    EXPECT(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    EXPECT(uv_tcp_init(&loop, &tcp), 0);
    EXPECT(uv_tcp_connect(&connect_, &tcp, SOCKADDR(&address), on_connect), 0);
    last_bytes = 0;
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT_EVENTS(wanted);
    close(listener);

    /* A local socket is reset by a peer that closes with unread bytes. */
    int fd;
    peer = pipe_with_peer(&loop, &local);
    EXPECT(uv_fileno(HANDLE(&local), &fd), 0);
    EXPECT(write(fd, "unread", 6), 6);
    EXPECT(write(peer, "hello", 5), 5);
    close(peer);
    read_all(&local);
    EXPECT_EVENTS(wanted);
}

static void check_ends(const char *wanted, const char *without_buffer) {
    int fds[2], master, slave;

    peer = tcp_with_peer(&loop, &tcp);
    EXPECT(write(peer, "hello", 5), 5);
    close(peer);
    read_all(&tcp);
    EXPECT_EVENTS(wanted);

    peer = pipe_with_peer(&loop, &local);
    EXPECT(write(peer, "hello", 5), 5);
    close(peer);
    read_all(&local);
    EXPECT_EVENTS(wanted);

    EXPECT(pipe(fds), 0);
    EXPECT(write(fds[1], "hello", 5), 5);
    close(fds[1]);
    EXPECT(uv_pipe_init(&loop, &local, 0), 0);
    EXPECT(uv_pipe_open(&local, fds[0]), 0);
    read_all(&local);
    EXPECT_EVENTS(without_buffer);

    EXPECT(openpty(&master, &slave, NULL, NULL, NULL), 0);
    EXPECT(write(slave, "hello", 5), 5);
    close(slave);
    EXPECT(uv_pipe_init(&loop, &local, 0), 0);
    EXPECT(uv_pipe_open(&local, master), 0);
    read_all(&local);
    EXPECT_EVENTS(without_buffer);
}

int main(void) {
    uv_prepare_t prepare;
    int fds[2], master, slave;

    uv_loop_init(&loop);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    uv_unref(HANDLE(&prepare));
    size = sizeof read_buffer;
    check_resets("5 ECONNRESET ");
    check_ends("5 EOF ", "5 EOF unbuffered ");
    size = 3;
    check_resets("3 2 ECONNRESET ");
    check_ends("3 2 EOF ", "3 2 EOF unbuffered ");
    size = 5;
    check_resets("5 ECONNRESET ");

    /* A terminal whose other side is closed reports UV_EIO, in the iteration after its last data. */
    size = sizeof read_buffer;
    EXPECT(openpty(&master, &slave, NULL, NULL, NULL), 0);
    EXPECT(write(slave, "hello", 5), 5);
    close(slave);
    EXPECT(uv_tty_init(&loop, &tty, master, 1), 0);
    read_all(&tty);
    EXPECT_EVENTS("5 EIO ");

    EXPECT(pipe(fds), 0);
    close(fds[1]);
    EXPECT(uv_pipe_init(&loop, &local, 0), 0);
    EXPECT(uv_pipe_open(&local, fds[0]), 0);
    read_all(&local);
    EXPECT_EVENTS("EOF unbuffered ");

    reset_connection(tcp_with_peer(&loop, &tcp));
    read_all(&tcp);
    EXPECT_EVENTS("ECONNRESET ");

    /* Sockets that are not connected. */
    EXPECT(uv_tcp_init(&loop, &tcp), 0);
    EXPECT(uv_tcp_open(&tcp, socket(AF_INET, SOCK_STREAM, 0)), 0);
    read_all(&tcp);
    EXPECT_EVENTS("EOF unbuffered ");
    EXPECT(uv_pipe_init(&loop, &local, 0), 0);
    EXPECT(uv_pipe_open(&local, socket(AF_UNIX, SOCK_STREAM, 0)), 0);
    read_all(&local);
    EXPECT_EVENTS("EOF unbuffered ");
    EXPECT(close_loop(&loop), 0);
    return 0;
}
