/* uv_tcp_init_ex flags, state of a new handle, options that are set before the socket exists,
 * buffer sizes, uv_tcp_open. */
#include "net.h"

#include <fcntl.h>
#include <netinet/tcp.h>

static uv_loop_t loop;

static int get_option(uv_tcp_t *tcp, int level, int name) {
    int value = -1;
    socklen_t length = sizeof value;
    uv_os_fd_t fd;
    if (uv_fileno(HANDLE(tcp), &fd) != 0) return -2;
    getsockopt(fd, level, name, &value, &length);
    return value;
}

static void print_options(uv_tcp_t *tcp) {
    print("  nodelay %d keepalive %d idle %d reuse %d", get_option(tcp, IPPROTO_TCP, TCP_NODELAY),
          get_option(tcp, SOL_SOCKET, SO_KEEPALIVE), get_option(tcp, IPPROTO_TCP, TCP_KEEPIDLE),
          get_option(tcp, SOL_SOCKET, SO_REUSEADDR));
}

static void print_handle(uv_tcp_t *tcp) {
    struct sockaddr_storage address;
    int length = sizeof address, value = 0;
    uv_os_fd_t fd;
    print_stream_state("  state", tcp);
    print("  fileno %s", code(uv_fileno(HANDLE(tcp), &fd)));
    print("  sockname %s", code(uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &length)));
    print("  peername %s", code(uv_tcp_getpeername(tcp, (struct sockaddr *)&address, &length)));
    print("  send buffer %s", code(uv_send_buffer_size(HANDLE(tcp), &value)));
    print("  send buffer NULL %s", code(uv_send_buffer_size(HANDLE(tcp), NULL)));
    value = 20000;
    print("  recv buffer %s", code(uv_recv_buffer_size(HANDLE(tcp), &value)));
    value = 0;
    print("  recv buffer %s %d", code(uv_recv_buffer_size(HANDLE(tcp), &value)), value);
    print("  blocking %s", code(uv_stream_set_blocking(STREAM(tcp), 0)));
    print("  accepts %s", code(uv_tcp_simultaneous_accepts(tcp, 1)));
    print_options(tcp);
}

int main(void) {
    static const unsigned flags[] = {AF_UNSPEC, AF_INET,      AF_INET6,     AF_UNIX,
                                     AF_PACKET, 0x100,        AF_INET | 256, 0xffff,
                                     0xff,      AF_INET | 512};
    uv_tcp_t tcp;
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(flags); i++) {
        int result = uv_tcp_init_ex(&loop, &tcp, flags[i]);
        print("flags %#x %s", flags[i], code(result));
        if (result != 0) continue;
        print_handle(&tcp);
        uv_close(HANDLE(&tcp), NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
    }

    print("options before the socket");
    uv_tcp_init(&loop, &tcp);
    print("  nodelay %s", code(uv_tcp_nodelay(&tcp, 1)));
    print("  keepalive %s", code(uv_tcp_keepalive(&tcp, 1, 10)));
    struct sockaddr_in address = loopback(0);
    print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    print_options(&tcp);
    print("  nodelay %s", code(uv_tcp_nodelay(&tcp, 0)));
    print("  keepalive %s", code(uv_tcp_keepalive(&tcp, 0, 0)));
    print_options(&tcp);
    print("  keepalive %s", code(uv_tcp_keepalive(&tcp, 1, 77)));
    print_options(&tcp);
    uv_os_fd_t fd;
    uv_fileno(HANDLE(&tcp), &fd);
    print("  close-on-exec %d, non-blocking %d", fcntl(fd, F_GETFD) & FD_CLOEXEC,
          !!(fcntl(fd, F_GETFL) & O_NONBLOCK));
    print("  blocking %s", code(uv_stream_set_blocking(STREAM(&tcp), 1)));
    print("  non-blocking %d", !!(fcntl(fd, F_GETFL) & O_NONBLOCK));
    uv_close(HANDLE(&tcp), NULL);

    print("opening");
    uv_tcp_t other;
    uv_tcp_init(&loop, &other);
    print("  bad %s", code(uv_tcp_open(&other, -1)));
    fd = socket(AF_INET, SOCK_STREAM, 0);
    print("  open %s", code(uv_tcp_open(&other, fd)));
    print("  non-blocking %d", !!(fcntl(fd, F_GETFL) & O_NONBLOCK));
    print_stream_state("  open", &other);
    int more = socket(AF_INET, SOCK_STREAM, 0);
    print("  busy %s", code(uv_tcp_open(&other, more)));
    print("  still open %d", fcntl(more, F_GETFD) >= 0);
    close(more);
    print("  bind %s", code(uv_tcp_bind(&other, SOCKADDR(&address), 0)));
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
