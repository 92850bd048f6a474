/* Which hop limits the setters change on an IPv6 socket: those of IPv6 once the handle has bound the
 * socket, those of IPv4 before. */
#include "test.h"

#include <netinet/in.h>
#include <sys/socket.h>

static void on_recv(uv_udp_t *udp, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *addr,
                    unsigned flags) {
    (void)udp, (void)nread, (void)buf, (void)addr, (void)flags;
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
    (void)handle, (void)size;
    *buf = uv_buf_init(NULL, 0);
}

static int option(int fd, int level, int name) {
    int value = -1;
    socklen_t length = sizeof value;
    getsockopt(fd, level, name, &value, &length);
    return value;
}

static void print_options(uv_loop_t *loop, uv_udp_t *udp, const char *state) {
    uv_os_fd_t fd = -1;
    int fileno = uv_fileno((uv_handle_t *)udp, &fd);
    printf("%s: fileno %d", state, fileno);
    printf(" ttl %d", uv_udp_set_ttl(udp, 77));
    printf(" multicast ttl %d", uv_udp_set_multicast_ttl(udp, 66));
    printf(" loop %d", uv_udp_set_multicast_loop(udp, 0));
    printf(" loop 255 %d", uv_udp_set_multicast_loop(udp, 255));
    printf(" loop 256 %d", uv_udp_set_multicast_loop(udp, 256));
    printf(" loop -1 %d\n", uv_udp_set_multicast_loop(udp, -1));
    printf("  IPv4 %d %d %d", option(fd, IPPROTO_IP, IP_TTL), option(fd, IPPROTO_IP, IP_MULTICAST_TTL),
         option(fd, IPPROTO_IP, IP_MULTICAST_LOOP));
    printf(" IPv6 %d %d %d\n", option(fd, IPPROTO_IPV6, IPV6_UNICAST_HOPS),
         option(fd, IPPROTO_IPV6, IPV6_MULTICAST_HOPS), option(fd, IPPROTO_IPV6, IPV6_MULTICAST_LOOP));
    uv_close((uv_handle_t *)udp, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
}

int main(void) {
    uv_loop_t loop;
    uv_udp_t udp;
    struct sockaddr_in6 any, peer, foreign;
    uv_buf_t buf = uv_buf_init("x", 1);

    uv_loop_init(&loop);
    uv_ip6_addr("::1", 0, &any);
    uv_ip6_addr("::1", 9, &peer);
    uv_ip6_addr("2001:db8::1", 9, &foreign);

    uv_udp_init(&loop, &udp);
    print_options(&loop, &udp, "no socket");

    uv_udp_init_ex(&loop, &udp, AF_INET6);
    print_options(&loop, &udp, "init_ex");
    uv_udp_init_ex(&loop, &udp, AF_INET6);
    printf("bind %d\n", uv_udp_bind(&udp, (struct sockaddr *)&any, 0));
    print_options(&loop, &udp, "init_ex, bind");
    uv_udp_init_ex(&loop, &udp, AF_INET6);
    printf("bind %d\n", uv_udp_bind(&udp, (struct sockaddr *)&foreign, 0));
    print_options(&loop, &udp, "init_ex, failed bind");
    uv_udp_init_ex(&loop, &udp, AF_INET6);
    printf("connect %d\n", uv_udp_connect(&udp, (struct sockaddr *)&peer));
    print_options(&loop, &udp, "init_ex, connect");
    uv_udp_init_ex(&loop, &udp, AF_INET6);
    printf("recv_start %d\n", uv_udp_recv_start(&udp, on_alloc, on_recv));
    print_options(&loop, &udp, "init_ex, recv_start");
    uv_udp_init_ex(&loop, &udp, AF_INET6);
    printf("try_send %d\n", uv_udp_try_send(&udp, &buf, 1, (struct sockaddr *)&peer));
    print_options(&loop, &udp, "init_ex, try_send");

    uv_udp_init(&loop, &udp);
    printf("bind %d\n", uv_udp_bind(&udp, (struct sockaddr *)&any, 0));
    print_options(&loop, &udp, "bind");
    uv_udp_init(&loop, &udp);
    printf("bind %d\n", uv_udp_bind(&udp, (struct sockaddr *)&foreign, 0));
    print_options(&loop, &udp, "failed bind");
    uv_udp_init(&loop, &udp);
    printf("connect %d\n", uv_udp_connect(&udp, (struct sockaddr *)&peer));
    print_options(&loop, &udp, "connect");
    uv_udp_init(&loop, &udp);
    printf("try_send %d\n", uv_udp_try_send(&udp, &buf, 1, (struct sockaddr *)&peer));
    print_options(&loop, &udp, "try_send");

    uv_udp_init(&loop, &udp);
    printf("open %d\n", uv_udp_open(&udp, socket(AF_INET6, SOCK_DGRAM, 0)));
    print_options(&loop, &udp, "open");
    uv_udp_init(&loop, &udp);
    printf("open %d\n", uv_udp_open(&udp, socket(AF_INET6, SOCK_DGRAM, 0)));
    printf("bind %d\n", uv_udp_bind(&udp, (struct sockaddr *)&any, 0));
    print_options(&loop, &udp, "open, bind");

    printf("loop_close %d\n", uv_loop_close(&loop));
    return 0;
}
