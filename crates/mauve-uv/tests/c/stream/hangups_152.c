/* needs: 1.52 */
/* How the end of a peer is reported: bytes come first, then what a read says (EOF, or ECONNRESET
 * after a reset, where 1.44 reported EOF). A hang-up with nothing to read is an end without a
 * buffer. The end comes in the iteration after a buffer that was not filled. */
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
    *buffer = uv_buf_init(room, size);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    tell(length_or_code(count));
    if (count > 0) {
        /* After a full buffer it is read again at once. */
        last_bytes = (size_t)count < size ? iteration : 0;
        return;
    }
    if (buffer->base == NULL) tell("unbuffered");
    EXPECT(last_bytes == 0 || iteration == last_bytes + 1, 1);
    /* An error is reported before reading stops, the end after it. */
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
    reset(peer);
    EXPECT(uv_read_start(request->handle, on_size, on_read), 0);
}

static void resets(const char *wanted) {
    peer = tcp_with_peer(&loop, &tcp);
    EXPECT(write(peer, "hello", 5), 5);
    reset(peer);
    read_all(&tcp);
    EXPECT_STORY(wanted);

    struct sockaddr_in address = serve(&loop, &server, on_connection);
    peer = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(connect(peer, SOCKADDR(&address), sizeof address), 0);
    EXPECT(write(peer, "hello", 5), 5);
    reset(peer);
    last_bytes = 0;
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT_STORY(wanted);

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
    EXPECT_STORY(wanted);
    close(listener);

    /* A local socket is reset by a peer that closes with unread bytes. */
    int fd;
    peer = pipe_with_peer(&loop, &local);
    EXPECT(uv_fileno(HANDLE(&local), &fd), 0);
    EXPECT(write(fd, "unread", 6), 6);
    EXPECT(write(peer, "hello", 5), 5);
    close(peer);
    read_all(&local);
    EXPECT_STORY(wanted);
}

static void ends(const char *wanted, const char *without_buffer) {
    int fds[2], master, slave;

    peer = tcp_with_peer(&loop, &tcp);
    EXPECT(write(peer, "hello", 5), 5);
    close(peer);
    read_all(&tcp);
    EXPECT_STORY(wanted);

    peer = pipe_with_peer(&loop, &local);
    EXPECT(write(peer, "hello", 5), 5);
    close(peer);
    read_all(&local);
    EXPECT_STORY(wanted);

    EXPECT(pipe(fds), 0);
    EXPECT(write(fds[1], "hello", 5), 5);
    close(fds[1]);
    EXPECT(uv_pipe_init(&loop, &local, 0), 0);
    EXPECT(uv_pipe_open(&local, fds[0]), 0);
    read_all(&local);
    EXPECT_STORY(without_buffer);

    EXPECT(openpty(&master, &slave, NULL, NULL, NULL), 0);
    EXPECT(write(slave, "hello", 5), 5);
    close(slave);
    EXPECT(uv_pipe_init(&loop, &local, 0), 0);
    EXPECT(uv_pipe_open(&local, master), 0);
    read_all(&local);
    EXPECT_STORY(without_buffer);
}

int main(void) {
    uv_prepare_t prepare;
    int fds[2], master, slave;

    uv_loop_init(&loop);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    uv_unref(HANDLE(&prepare));
    size = sizeof room;
    resets("5 ECONNRESET ");
    ends("5 EOF ", "5 EOF unbuffered ");
    size = 3;
    resets("3 2 ECONNRESET ");
    ends("3 2 EOF ", "3 2 EOF unbuffered ");
    size = 5;
    resets("5 ECONNRESET ");

    /* A terminal whose other side is gone: no EIO. */
    size = sizeof room;
    EXPECT(openpty(&master, &slave, NULL, NULL, NULL), 0);
    EXPECT(write(slave, "hello", 5), 5);
    close(slave);
    EXPECT(uv_tty_init(&loop, &tty, master, 1), 0);
    read_all(&tty);
    EXPECT_STORY("5 EOF unbuffered ");

    EXPECT(pipe(fds), 0);
    close(fds[1]);
    EXPECT(uv_pipe_init(&loop, &local, 0), 0);
    EXPECT(uv_pipe_open(&local, fds[0]), 0);
    read_all(&local);
    EXPECT_STORY("EOF unbuffered ");

    reset(tcp_with_peer(&loop, &tcp));
    read_all(&tcp);
    EXPECT_STORY("ECONNRESET ");

    /* Sockets that were opened before they are connected. */
    EXPECT(uv_tcp_init(&loop, &tcp), 0);
    EXPECT(uv_tcp_open(&tcp, socket(AF_INET, SOCK_STREAM, 0)), 0);
    read_all(&tcp);
    EXPECT_STORY("EOF unbuffered ");
    EXPECT(uv_pipe_init(&loop, &local, 0), 0);
    EXPECT(uv_pipe_open(&local, socket(AF_UNIX, SOCK_STREAM, 0)), 0);
    read_all(&local);
    EXPECT_STORY("EOF unbuffered ");
    EXPECT(finish(&loop), 0);
    return 0;
}
