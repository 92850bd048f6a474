/* needs: 1.52 */
/* uv_tcp_keepalive and uv_tcp_keepalive_ex with a value of zero fail, and set SO_KEEPALIVE only. */
#include "test.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

static uv_loop_t loop;

static int option(uv_tcp_t *tcp, int level, int name) {
    uv_os_fd_t fd;
    int value = -1;
    socklen_t size = sizeof(value);
    EXPECT(uv_fileno((uv_handle_t *)tcp, &fd), 0);
    EXPECT(getsockopt(fd, level, name, &value, &size), 0);
    return value;
}

static void open_socket(uv_tcp_t *tcp) {
    EXPECT(uv_tcp_init_ex(&loop, tcp, AF_INET), 0);
    EXPECT(option(tcp, SOL_SOCKET, SO_KEEPALIVE), 0);
}

static void close_socket(uv_tcp_t *tcp) {
    EXPECT(option(tcp, SOL_SOCKET, SO_KEEPALIVE), 1);
    uv_close((uv_handle_t *)tcp, NULL);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
}

int main(void) {
    uv_tcp_t tcp;
    EXPECT(uv_loop_init(&loop), 0);

    open_socket(&tcp);
    EXPECT(uv_tcp_keepalive(&tcp, 1, 0), UV_EINVAL);
    close_socket(&tcp);

    for (int zero = 0; zero < 3; zero++) {
        open_socket(&tcp);
        int idle = option(&tcp, IPPROTO_TCP, TCP_KEEPIDLE);
        int interval = option(&tcp, IPPROTO_TCP, TCP_KEEPINTVL);
        int count = option(&tcp, IPPROTO_TCP, TCP_KEEPCNT);
        EXPECT(uv_tcp_keepalive_ex(&tcp, 1, zero == 0 ? 0 : idle + 1, zero == 1 ? 0 : interval + 1,
                                   zero == 2 ? 0 : count + 1),
               UV_EINVAL);
        EXPECT(option(&tcp, IPPROTO_TCP, TCP_KEEPIDLE), idle);
        EXPECT(option(&tcp, IPPROTO_TCP, TCP_KEEPINTVL), interval);
        EXPECT(option(&tcp, IPPROTO_TCP, TCP_KEEPCNT), count);
        close_socket(&tcp);
    }
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
