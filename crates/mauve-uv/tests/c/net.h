/* Shared by the programs about streams. They use loopback only, with ephemeral ports. */
#ifndef NET_H
#define NET_H

#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>

static UNUSED struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

#define SOCKADDR(address) ((const struct sockaddr *)(address))
#define HANDLE(handle) ((uv_handle_t *)(handle))
#define STREAM(handle) ((uv_stream_t *)(handle))

/* The port that a handle is bound to. */
static UNUSED int port_of(uv_tcp_t *tcp) {
    struct sockaddr_in address;
    int length = sizeof address;
    assert(uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &length) == 0);
    return ntohs(address.sin_port);
}

/* Makes the handle listen on an ephemeral port, and returns its address. */
static UNUSED struct sockaddr_in listen_on_loopback(uv_loop_t *loop, uv_tcp_t *server,
                                                    uv_connection_cb cb) {
    struct sockaddr_in address = loopback(0);
    assert(uv_tcp_init(loop, server) == 0);
    assert(uv_tcp_bind(server, SOCKADDR(&address), 0) == 0);
    assert(uv_listen(STREAM(server), 128, cb) == 0);
    return loopback(port_of(server));
}

/* An address on which no socket listens. */
static UNUSED struct sockaddr_in unused_address(void) {
    struct sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(fd, SOCKADDR(&address), sizeof address) == 0);
    assert(getsockname(fd, (struct sockaddr *)&address, &length) == 0);
    close(fd);
    return address;
}

/* Sets buffer sizes that do not depend on the system: a pair of sockets buffers 64 to 512 KiB. TCP
 * needs them before it connects. */
static UNUSED void limit_buffers(int fd) {
    int size = 128 << 10;
    assert(setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0);
    assert(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size) == 0);
}

/* Two connected local sockets. */
static UNUSED void local_sockets(int ends[2]) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    limit_buffers(ends[0]);
    limit_buffers(ends[1]);
}

/* Two connected TCP sockets. */
static UNUSED void tcp_sockets(int ends[2]) {
    struct sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    limit_buffers(listener);
    assert(bind(listener, SOCKADDR(&address), sizeof address) == 0);
    assert(listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    limit_buffers(ends[0]);
    assert(connect(ends[0], SOCKADDR(&address), sizeof address) == 0);
    ends[1] = accept(listener, NULL, NULL);
    assert(ends[1] >= 0);
    close(listener);
}

/* A handle that is connected to a plain socket, which is returned. */
static UNUSED int tcp_with_peer(uv_loop_t *loop, uv_tcp_t *tcp) {
    int ends[2];
    tcp_sockets(ends);
    assert(uv_tcp_init(loop, tcp) == 0);
    assert(uv_tcp_open(tcp, ends[0]) == 0);
    return ends[1];
}

static UNUSED int pipe_with_peer(uv_loop_t *loop, uv_pipe_t *pipe) {
    int ends[2];
    local_sockets(ends);
    assert(uv_pipe_init(loop, pipe, 0) == 0);
    assert(uv_pipe_open(pipe, ends[0]) == 0);
    return ends[1];
}

/* Resets a connection: the peer sees ECONNRESET. */
static UNUSED void reset_connection(int fd) {
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    assert(setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now) == 0);
    close(fd);
}

/* One buffer for all reads. */
static char UNUSED read_buffer[65536];

static UNUSED void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    (void)size;
    *buffer = uv_buf_init(read_buffer, sizeof read_buffer);
}

static UNUSED const char *length_or_code(ssize_t count) {
    static char text[32];
    if (count < 0) return uv_err_name(count);
    snprintf(text, sizeof text, "%zd", count);
    return text;
}

/* Prints the public state of a stream. */
static UNUSED void print_stream_state(const char *when, void *stream) {
    uv_handle_t *handle = stream;
    print("%s: active %d closing %d ref %d readable %d writable %d queue %zu", when,
          uv_is_active(handle), uv_is_closing(handle), uv_has_ref(handle),
          uv_is_readable(stream), uv_is_writable(stream), uv_stream_get_write_queue_size(stream));
}

#endif
