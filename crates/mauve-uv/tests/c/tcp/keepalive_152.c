/* needs: 1.52 */
/* uv_tcp_keepalive and uv_tcp_keepalive_ex: invalid arguments, and the resulting socket options. */
#include "net.h"

#include <netinet/tcp.h>

static int get_option(uv_tcp_t *tcp, int level, int name) {
    int value = -1;
    socklen_t length = sizeof value;
    uv_os_fd_t fd;
    EXPECT(uv_fileno(HANDLE(tcp), &fd), 0);
    EXPECT(getsockopt(fd, level, name, &value, &length), 0);
    return value;
}

static void expect_keepalive(uv_tcp_t *tcp, int on, int idle, int interval, int count) {
    EXPECT(get_option(tcp, SOL_SOCKET, SO_KEEPALIVE), on);
    if (!on) return;
    EXPECT(get_option(tcp, IPPROTO_TCP, TCP_KEEPIDLE), idle);
    EXPECT(get_option(tcp, IPPROTO_TCP, TCP_KEEPINTVL), interval);
    EXPECT(get_option(tcp, IPPROTO_TCP, TCP_KEEPCNT), count);
}

int main(void) {
    uv_loop_t loop;
    uv_tcp_t tcp, early;
    uv_loop_init(&loop);

    uv_tcp_init_ex(&loop, &tcp, AF_INET);
    expect_keepalive(&tcp, 0, 0, 0, 0);
    EXPECT(uv_tcp_keepalive(&tcp, 1, 0), UV_EINVAL);
    EXPECT(uv_tcp_keepalive_ex(&tcp, 1, 0, 1, 1), UV_EINVAL);
    EXPECT(uv_tcp_keepalive_ex(&tcp, 1, 1, 0, 1), UV_EINVAL);
    EXPECT(uv_tcp_keepalive_ex(&tcp, 1, 1, 1, 0), UV_EINVAL);
    EXPECT(uv_tcp_keepalive(&tcp, 1, 33), 0);
    expect_keepalive(&tcp, 1, 33, 1, 10);
    EXPECT(uv_tcp_keepalive_ex(&tcp, 1, 44, 5, 6), 0);
    expect_keepalive(&tcp, 1, 44, 5, 6);
    EXPECT(uv_tcp_keepalive(&tcp, 0, 0), 0);
    expect_keepalive(&tcp, 0, 0, 0, 0);

    uv_tcp_init(&loop, &early);
    EXPECT(uv_tcp_keepalive(&early, 1, 0), 0);
    EXPECT(uv_tcp_nodelay(&early, 1), 0);
    struct sockaddr_in address = loopback(0);
    EXPECT(uv_tcp_bind(&early, SOCKADDR(&address), 0), 0);
    expect_keepalive(&early, 1, 60, 1, 10);
    EXPECT(get_option(&early, IPPROTO_TCP, TCP_NODELAY), 1);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
