/* needs: 1.52 */
/* uv_udp_open_ex and UV_UDP_REUSEPORT. */
#include "test.h"

#include <arpa/inet.h>
#include <sys/socket.h>

static int get_option(uv_udp_t *udp, int name) {
    socklen_t size = sizeof(int);
    int value = -1, fd;
    EXPECT(uv_fileno((uv_handle_t *)udp, &fd), 0);
    EXPECT(getsockopt(fd, SOL_SOCKET, name, &value, &size), 0);
    return value;
}

int main(void) {
    struct sockaddr_in address;
    uv_udp_t plain, ports, both, first, second, third;
    int size = sizeof address;
    uv_loop_t loop;

    EXPECT(uv_loop_init(&loop), 0);
    EXPECT(uv_udp_init(&loop, &plain), 0);
    EXPECT(uv_udp_open_ex(&plain, socket(AF_INET, SOCK_DGRAM, 0), UV_UDP_IPV6ONLY), UV_EINVAL);
    EXPECT(uv_udp_open_ex(&plain, socket(AF_INET, SOCK_DGRAM, 0), 0), 0);
    EXPECT(get_option(&plain, SO_REUSEADDR), 0);
    EXPECT(uv_udp_open_ex(&plain, 0, UV_UDP_PARTIAL), UV_EINVAL);
    EXPECT(uv_udp_open_ex(&plain, 0, 0), UV_EBUSY);
    EXPECT(uv_udp_init(&loop, &ports), 0);
    EXPECT(uv_udp_open_ex(&ports, socket(AF_INET, SOCK_DGRAM, 0), UV_UDP_REUSEPORT), 0);
    EXPECT(get_option(&ports, SO_REUSEADDR), 0);
    EXPECT(get_option(&ports, SO_REUSEPORT), 1);
    EXPECT(uv_udp_init(&loop, &both), 0);
    EXPECT(uv_udp_open(&both, socket(AF_INET, SOCK_DGRAM, 0)), 0);
    EXPECT(get_option(&both, SO_REUSEADDR), 1);

    uv_ip4_addr("127.0.0.1", 0, &address);
    EXPECT(uv_udp_init(&loop, &first), 0);
    EXPECT(uv_udp_bind(&first, (struct sockaddr *)&address, UV_UDP_REUSEPORT), 0);
    EXPECT(uv_udp_getsockname(&first, (struct sockaddr *)&address, &size), 0);
    EXPECT(uv_udp_init(&loop, &second), 0);
    EXPECT(uv_udp_bind(&second, (struct sockaddr *)&address, UV_UDP_REUSEPORT), 0);
    EXPECT(uv_udp_init(&loop, &third), 0);
    EXPECT(uv_udp_bind(&third, (struct sockaddr *)&address, 0), UV_EADDRINUSE);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
