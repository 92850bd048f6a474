/* Shared by the programs about corked writes: a stream that is written to twice in a callback, and
 * its peer, a plain socket. */
#ifndef TWO_WRITES_H
#define TWO_WRITES_H

#include "net.h"

#include <poll.h>

static uv_loop_t loop;
static uv_tcp_t tcp;
static uv_timer_t timer;
static int stream_fd, peer, completed;
static uv_write_t first, second;

static UNUSED void on_written(uv_write_t *request, int status) {
    (void)request;
    assert(status == 0);
    completed++;
}

/* Writes twice. With corking, the second write is buffered until a flush. */
static UNUSED void write_twice(void) {
    uv_buf_t one = uv_buf_init("one ", 4), two = uv_buf_init("two ", 4);
    assert(uv_write(&first, STREAM(&tcp), &one, 1, on_written) == 0);
    assert(uv_write(&second, STREAM(&tcp), &two, 1, on_written) == 0);
}

/* Reads what the peer has received, up to `wanted` bytes. Loopback delivers at once, but a busy
 * system may need a moment, so short reads are retried. */
static UNUSED const char *received(int fd, size_t wanted) {
    static char text[256];
    size_t count = 0;
    for (int i = 0; count < wanted && i < 4000; i++) {
        ssize_t more = recv(fd, text + count, sizeof text - 1 - count, MSG_DONTWAIT);
        if (more == 0) break;
        if (more > 0) count += more;
        else usleep(500);
    }
    text[count] = 0;
    return text;
}

static UNUSED void on_first_connect(uv_connect_t *request, int status) {
    (void)request;
    assert(status == 0);
}

/* Connects a stream of the library with a plain socket, which is returned. uv_fileno is not called:
 * it would exempt the stream from corking. */
static UNUSED int connected_with_peer(uv_loop_t *loop, uv_tcp_t *stream) {
    struct sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    uv_connect_t request;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, SOCKADDR(&address), sizeof address) == 0);
    assert(listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    assert(uv_tcp_init(loop, stream) == 0);
    assert(uv_tcp_connect(&request, stream, SOCKADDR(&address), on_first_connect) == 0);
    assert(uv_run(loop, UV_RUN_DEFAULT) == 0);
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    close(listener);
    return fd;
}

/* Runs `callback` once, as a timer callback, with a connected stream. */
static UNUSED void run_scenario(const char *name, uv_timer_cb callback) {
    print("%s", name);
    completed = 0;
    assert(uv_loop_init(&loop) == 0);
    peer = connected_with_peer(&loop, &tcp);
    stream_fd = tcp.io_watcher.fd;
    assert(uv_timer_init(&loop, &timer) == 0);
    assert(uv_timer_start(&timer, callback, 0, 0) == 0);
    while (uv_run(&loop, UV_RUN_DEFAULT) != 0) continue;
    print("  writes completed %d", completed);
    print("  close_loop %s", code(close_loop(&loop)));
    close(peer);
}

#endif
