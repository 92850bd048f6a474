/* Fresh handles: flags, descriptors, options that wait for a socket, sizes of buffers. */
#include "net.h"

#include <fcntl.h>
#include <netinet/tcp.h>

static uv_loop_t loop;

static int option(uv_tcp_t *tcp, int level, int name) {
    int value = -1;
    socklen_t length = sizeof value;
    uv_os_fd_t fd;
    if (uv_fileno(HANDLE(tcp), &fd) != 0) return -2;
    getsockopt(fd, level, name, &value, &length);
    return value;
}

static void options(uv_tcp_t *tcp) {
    say("  nodelay %d keepalive %d idle %d reuse %d", option(tcp, IPPROTO_TCP, TCP_NODELAY),
        option(tcp, SOL_SOCKET, SO_KEEPALIVE), option(tcp, IPPROTO_TCP, TCP_KEEPIDLE),
        option(tcp, SOL_SOCKET, SO_REUSEADDR));
}

static void ask(uv_tcp_t *tcp) {
    struct sockaddr_storage address;
    int length = sizeof address, value = 0;
    uv_os_fd_t fd;
    state("  state", tcp);
    say("  fileno %s", code(uv_fileno(HANDLE(tcp), &fd)));
    say("  sockname %s", code(uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &length)));
    say("  peername %s", code(uv_tcp_getpeername(tcp, (struct sockaddr *)&address, &length)));
    say("  send buffer %s", code(uv_send_buffer_size(HANDLE(tcp), &value)));
    say("  send buffer NULL %s", code(uv_send_buffer_size(HANDLE(tcp), NULL)));
    value = 20000;
    say("  recv buffer %s", code(uv_recv_buffer_size(HANDLE(tcp), &value)));
    value = 0;
    say("  recv buffer %s %d", code(uv_recv_buffer_size(HANDLE(tcp), &value)), value);
    say("  blocking %s", code(uv_stream_set_blocking(STREAM(tcp), 0)));
    say("  accepts %s", code(uv_tcp_simultaneous_accepts(tcp, 1)));
    options(tcp);
}

int main(void) {
    static const unsigned flags[] = {AF_UNSPEC, AF_INET,      AF_INET6,     AF_UNIX,
                                     AF_PACKET, 0x100,        AF_INET | 256, 0xffff,
                                     0xff,      AF_INET | 512};
    uv_tcp_t tcp;
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(flags); i++) {
        int result = uv_tcp_init_ex(&loop, &tcp, flags[i]);
        say("flags %#x %s", flags[i], code(result));
        if (result != 0) continue;
        ask(&tcp);
        uv_close(HANDLE(&tcp), NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
    }

    say("options before the socket");
    uv_tcp_init(&loop, &tcp);
    say("  nodelay %s", code(uv_tcp_nodelay(&tcp, 1)));
    say("  keepalive %s", code(uv_tcp_keepalive(&tcp, 1, 10)));
    struct sockaddr_in address = loopback(0);
    say("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    options(&tcp);
    say("  nodelay %s", code(uv_tcp_nodelay(&tcp, 0)));
    say("  keepalive %s", code(uv_tcp_keepalive(&tcp, 0, 0)));
    options(&tcp);
    say("  keepalive %s", code(uv_tcp_keepalive(&tcp, 1, 77)));
    options(&tcp);
    uv_os_fd_t fd;
    uv_fileno(HANDLE(&tcp), &fd);
    say("  close-on-exec %d, non-blocking %d", fcntl(fd, F_GETFD) & FD_CLOEXEC,
        !!(fcntl(fd, F_GETFL) & O_NONBLOCK));
    say("  blocking %s", code(uv_stream_set_blocking(STREAM(&tcp), 1)));
    say("  non-blocking %d", !!(fcntl(fd, F_GETFL) & O_NONBLOCK));
    uv_close(HANDLE(&tcp), NULL);

    say("opening");
    uv_tcp_t other;
    uv_tcp_init(&loop, &other);
    say("  bad %s", code(uv_tcp_open(&other, -1)));
    fd = socket(AF_INET, SOCK_STREAM, 0);
    say("  open %s", code(uv_tcp_open(&other, fd)));
    say("  non-blocking %d", !!(fcntl(fd, F_GETFL) & O_NONBLOCK));
    state("  open", &other);
    int more = socket(AF_INET, SOCK_STREAM, 0);
    say("  busy %s", code(uv_tcp_open(&other, more)));
    say("  still open %d", fcntl(more, F_GETFD) >= 0);
    close(more);
    say("  bind %s", code(uv_tcp_bind(&other, SOCKADDR(&address), 0)));
    say("finish %s", code(finish(&loop)));
    return 0;
}
