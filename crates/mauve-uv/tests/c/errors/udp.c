/* errors: of UDP handles */
#include "errors.h"

static uv_buf_t byte;

static void on_receive(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                       const struct sockaddr *address, unsigned flags) {
    (void)buffer, (void)flags;
    if (count == 0 && address == NULL) return;
    got = count;
    uv_udp_recv_stop(udp);
}

static void on_send(uv_udp_send_t *request, int status) {
    (void)request;
    got = status;
}

static void opening(void) {
    static uv_udp_t other, bound, watcher;
    FAILS(uv_udp_init_ex, UV_EINVAL, uv_udp_init_ex(loop, &other, AF_UNIX));
    FAILS(uv_udp_init_ex, UV_EINVAL, uv_udp_init_ex(loop, &other, 1 << 12));
    OK(uv_udp_init_ex(loop, &bound, AF_INET));
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    FAILS(uv_udp_open, UV_EBUSY, uv_udp_open(&bound, fd));
    OK(uv_udp_init(loop, &watcher));
    OK(uv_udp_open(&watcher, fd));
    OK(uv_udp_recv_start(&watcher, on_alloc, on_receive));
    OK(uv_udp_init(loop, &other));
    FAILS(uv_udp_open, UV_EEXIST, uv_udp_open(&other, fd));
    FAILS(uv_udp_open, UV_EBADF, uv_udp_open(&other, closed_descriptor()));
    OK(uv_udp_recv_stop(&watcher));
}

static void without_socket(void) {
    static uv_udp_t udp;
    struct sockaddr_storage name;
    int length = sizeof name;
    OK(uv_udp_init(loop, &udp));
    FAILS(uv_udp_getsockname, UV_EBADF, uv_udp_getsockname(&udp, (struct sockaddr *)&name, &length));
    FAILS(uv_udp_getpeername, UV_EBADF, uv_udp_getpeername(&udp, (struct sockaddr *)&name, &length));
    FAILS(uv_udp_set_ttl, UV_EBADF, uv_udp_set_ttl(&udp, 1));
    FAILS(uv_udp_set_broadcast, UV_EBADF, uv_udp_set_broadcast(&udp, 1));
    FAILS(uv_udp_set_multicast_loop, UV_EBADF, uv_udp_set_multicast_loop(&udp, 1));
    FAILS(uv_udp_set_multicast_ttl, UV_EBADF, uv_udp_set_multicast_ttl(&udp, 1));
    FAILS(uv_udp_set_multicast_interface, UV_EBADF,
          uv_udp_set_multicast_interface(&udp, "127.0.0.1"));
}

static void binding(void) {
    static uv_udp_t udp, second, foreign;
    struct sockaddr_in address = loopback(0), wrong = {.sin_family = 77}, nowhere;
    OK(uv_ip4_addr("192.0.2.1", 0, &nowhere));
    OK(uv_udp_init(loop, &udp));
    FAILS(uv_udp_bind, UV_EINVAL, uv_udp_bind(&udp, SOCKADDR(&address), 1 << 12));
    FAILS(uv_udp_bind, UV_EINVAL, uv_udp_bind(&udp, SOCKADDR(&address), UV_UDP_IPV6ONLY));
    FAILS(uv_udp_bind, UV_EINVAL, uv_udp_bind(&udp, SOCKADDR(&wrong), 0));
    OK(uv_udp_init(loop, &foreign));
    FAILS(uv_udp_bind, UV_EADDRNOTAVAIL, uv_udp_bind(&foreign, SOCKADDR(&nowhere), 0));
    OK(uv_udp_bind(&udp, SOCKADDR(&address), 0));
    FAILS(uv_udp_bind, UV_EINVAL, uv_udp_bind(&udp, SOCKADDR(&address), 0));
    int length = sizeof address;
    OK(uv_udp_getsockname(&udp, (struct sockaddr *)&address, &length));
    OK(uv_udp_init(loop, &second));
    FAILS(uv_udp_bind, UV_EADDRINUSE, uv_udp_bind(&second, SOCKADDR(&address), 0));

    FAILS(uv_udp_set_ttl, UV_EINVAL, uv_udp_set_ttl(&udp, 0));
    FAILS(uv_udp_set_ttl, UV_EINVAL, uv_udp_set_ttl(&udp, 256));
    FAILS(uv_udp_set_multicast_ttl, UV_EINVAL, uv_udp_set_multicast_ttl(&udp, 256));
    FAILS(uv_udp_set_multicast_interface, UV_EINVAL, uv_udp_set_multicast_interface(&udp, "name"));
    FAILS(uv_udp_set_membership, UV_EINVAL,
          uv_udp_set_membership(&udp, "name", NULL, UV_JOIN_GROUP));
    FAILS(uv_udp_set_membership, UV_EINVAL,
          uv_udp_set_membership(&udp, "239.255.0.1", "name", UV_JOIN_GROUP));
    FAILS(uv_udp_set_membership, UV_EINVAL,
          uv_udp_set_membership(&udp, "239.255.0.1", NULL, (uv_membership)9));
    FAILS(uv_udp_set_membership, UV_ENODEV,
          uv_udp_set_membership(&udp, "239.255.0.1", "192.0.2.1", UV_JOIN_GROUP));
    FAILS(uv_udp_set_source_membership, UV_EINVAL,
          uv_udp_set_source_membership(&udp, "name", NULL, "127.0.0.1", UV_JOIN_GROUP));
    FAILS(uv_udp_set_source_membership, UV_EINVAL,
          uv_udp_set_source_membership(&udp, "239.255.0.1", NULL, "name", UV_JOIN_GROUP));
    FAILS(uv_udp_set_source_membership, UV_EINVAL,
          uv_udp_set_source_membership(&udp, "239.255.0.1", NULL, "::1", UV_JOIN_GROUP));
    FAILS(uv_udp_set_source_membership, UV_EINVAL,
          uv_udp_set_source_membership(&udp, "239.255.0.1", NULL, "127.0.0.1", (uv_membership)9));
}

static void sending(void) {
    static uv_udp_t udp, connected, peerless;
    static uv_udp_send_t request;
    static char many[70000];
    uv_buf_t large = uv_buf_init(many, sizeof many);
    struct sockaddr_in address = unused_address(), wrong = {.sin_family = 77};
    struct sockaddr_storage name;
    int length = sizeof name;
    OK(uv_udp_init(loop, &udp));
    FAILS(uv_udp_connect, UV_ENOTCONN, uv_udp_connect(&udp, NULL));
    FAILS(uv_udp_connect, UV_EINVAL, uv_udp_connect(&udp, SOCKADDR(&wrong)));
    FAILS(uv_udp_send, UV_EDESTADDRREQ, uv_udp_send(&request, &udp, &byte, 1, NULL, NULL));
    FAILS(uv_udp_try_send, UV_EDESTADDRREQ, uv_udp_try_send(&udp, &byte, 1, NULL));
    FAILS(uv_udp_send, UV_EINVAL, uv_udp_send(&request, &udp, &byte, 1, SOCKADDR(&wrong), NULL));
    FAILS(uv_udp_try_send, UV_EINVAL, uv_udp_try_send(&udp, &byte, 1, SOCKADDR(&wrong)));
    FAILS(uv_udp_try_send, UV_EMSGSIZE, uv_udp_try_send(&udp, &large, 1, SOCKADDR(&address)));
    FAILS(uv_udp_send, UV_EMSGSIZE,
          AFTER_RUN(uv_udp_send(&request, &udp, &large, 1, SOCKADDR(&address), on_send)));

    OK(uv_udp_init_ex(loop, &peerless, AF_INET));
    FAILS(uv_udp_getpeername, UV_ENOTCONN,
          uv_udp_getpeername(&peerless, (struct sockaddr *)&name, &length));
    OK(uv_udp_init(loop, &connected));
    OK(uv_udp_connect(&connected, SOCKADDR(&address)));
    FAILS(uv_udp_connect, UV_EISCONN, uv_udp_connect(&connected, SOCKADDR(&address)));
    FAILS(uv_udp_send, UV_EISCONN,
          uv_udp_send(&request, &connected, &byte, 1, SOCKADDR(&address), NULL));
    FAILS(uv_udp_try_send, UV_EISCONN, uv_udp_try_send(&connected, &byte, 1, SOCKADDR(&address)));
    OK(uv_udp_try_send(&connected, &byte, 1, NULL));
    FAILS(uv_udp_try_send, UV_ECONNREFUSED, uv_udp_try_send(&connected, &byte, 1, NULL));
    OK(uv_udp_try_send(&connected, &byte, 1, NULL));
    FAILS(uv_udp_recv_start, UV_ECONNREFUSED,
          AFTER_RUN(uv_udp_recv_start(&connected, on_alloc, on_receive)));
}

static void receiving(void) {
    static uv_udp_t udp;
    struct sockaddr_in address = loopback(0);
    OK(uv_udp_init(loop, &udp));
    OK(uv_udp_bind(&udp, SOCKADDR(&address), 0));
    FAILS(uv_udp_recv_start, UV_EINVAL, uv_udp_recv_start(&udp, NULL, on_receive));
    FAILS(uv_udp_recv_start, UV_EINVAL, uv_udp_recv_start(&udp, on_alloc, NULL));
    OK(uv_udp_recv_start(&udp, no_buffer, on_receive));
    FAILS(uv_udp_recv_start, UV_EALREADY, uv_udp_recv_start(&udp, on_alloc, on_receive));
    int length = sizeof address;
    OK(uv_udp_getsockname(&udp, (struct sockaddr *)&address, &length));
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    OK(sendto(fd, "x", 1, 0, SOCKADDR(&address), sizeof address));
    FAILS(uv_udp_recv_start, UV_ENOBUFS, AFTER_RUN(0));
    close(fd);
}

/* A local socket whose peer does not read: its queue is full after a few datagrams. On loopback the kernel
 * takes every datagram at once. */
static void full_queue(void) {
    static uv_udp_t udp;
    static uv_udp_send_t request;
    int ends[2], result = 0;
    OK(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
    OK(uv_udp_init(loop, &udp));
    OK(uv_udp_open(&udp, ends[0]));
    for (int count = 0; count < 1000000 && result >= 0; count++)
        result = uv_udp_try_send(&udp, &byte, 1, NULL);
    FAILS(uv_udp_try_send, UV_EAGAIN, result);
    OK(uv_udp_send(&request, &udp, &byte, 1, NULL, on_send));
    uv_close(HANDLE(&udp), NULL);
    FAILS(uv_udp_send, UV_ECANCELED, AFTER_RUN(0));
    close(ends[1]);
}

int main(void) {
    begin();
    byte = uv_buf_init("x", 1);
    opening();
    without_socket();
    binding();
    sending();
    receiving();
    full_queue();
    return end();
}
