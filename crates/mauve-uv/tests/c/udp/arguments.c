/* Errors of the uv_udp functions for invalid arguments and states. */
#include "test.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/un.h>

static uv_loop_t loop;
static uv_buf_t data = {.base = "word", .len = 4};

#define TRY(call)                                                                                \
    do {                                                                                         \
        int result = (call);                                                                     \
        print("%s: %s", #call, code(result));                                                    \
    } while (0)

static void on_sent(uv_udp_send_t *request, int status) {
    (void)request;
    print("sent: %s", code(status));
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size, (void)buffer;
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)udp, (void)count, (void)buffer, (void)from, (void)flags;
}

int main(void) {
    struct sockaddr_in any, closed_port, foreign;
    struct sockaddr_in6 six;
    struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "/no/such/socket"};
    struct sockaddr other = {.sa_family = 77}, none = {.sa_family = AF_UNSPEC};
    struct sockaddr *at = (struct sockaddr *)&any, *to = (struct sockaddr *)&closed_port;
    struct sockaddr *far = (struct sockaddr *)&foreign, *at6 = (struct sockaddr *)&six;
    struct sockaddr *path = (struct sockaddr *)&local;
    struct sockaddr_storage name;
    uv_udp_send_t request;
    uv_udp_t udp, early, opened, unbound;
    int fd, size;

    uv_loop_init(&loop);
    uv_ip4_addr("127.0.0.1", 0, &any);
    uv_ip4_addr("127.0.0.1", 9, &closed_port);
    uv_ip4_addr("203.0.113.9", 0, &foreign);
    uv_ip6_addr("::1", 0, &six);

    /* Without a socket. */
    memset(&udp, 0x55, sizeof udp);
    TRY(uv_udp_init(&loop, &udp));
    print("active %d closing %d ref %d size %zu count %zu", uv_is_active((uv_handle_t *)&udp),
          uv_is_closing((uv_handle_t *)&udp), uv_has_ref((uv_handle_t *)&udp),
          uv_udp_get_send_queue_size(&udp), uv_udp_get_send_queue_count(&udp));
    TRY(uv_fileno((uv_handle_t *)&udp, &fd));
    size = sizeof name;
    TRY(uv_udp_getsockname(&udp, (struct sockaddr *)&name, &size));
    TRY(uv_udp_getpeername(&udp, (struct sockaddr *)&name, &size));
    TRY(uv_udp_connect(&udp, NULL));
    TRY(uv_udp_recv_stop(&udp));
    TRY(uv_udp_set_ttl(&udp, 10));
    TRY(uv_udp_set_ttl(&udp, 0));
    TRY(uv_udp_set_multicast_ttl(&udp, 10));
    TRY(uv_udp_set_multicast_ttl(&udp, 256));
    TRY(uv_udp_set_multicast_loop(&udp, 1));
    TRY(uv_udp_set_broadcast(&udp, 1));
    TRY(uv_udp_set_multicast_interface(&udp, NULL));
    TRY(uv_udp_set_multicast_interface(&udp, "bad"));
    size = 0;
    TRY(uv_send_buffer_size((uv_handle_t *)&udp, &size));

    /* Binding. */
    TRY(uv_udp_bind(&udp, &other, 0));
    TRY(uv_udp_bind(&udp, path, 0));
    TRY(uv_udp_bind(&udp, at, UV_UDP_IPV6ONLY));
    TRY(uv_udp_bind(&udp, at, UV_UDP_PARTIAL));
    TRY(uv_udp_bind(&udp, at, UV_UDP_RECVMMSG));
    TRY(uv_fileno((uv_handle_t *)&udp, &fd));
    TRY(uv_udp_bind(&udp, far, 0));
    TRY(uv_fileno((uv_handle_t *)&udp, &fd));
    print("descriptor flags: %d", fcntl(fd, F_GETFD));
    TRY(uv_udp_bind(&udp, at6, 0));
    TRY(uv_udp_bind(&udp, at, 0));
    TRY(uv_udp_bind(&udp, at, 0));
    size = sizeof name;
    TRY(uv_udp_getsockname(&udp, (struct sockaddr *)&name, &size));
    print("length %d family %d port given %d", size, name.ss_family,
          ((struct sockaddr_in *)&name)->sin_port != 0);
    size = 4;
    TRY(uv_udp_getsockname(&udp, (struct sockaddr *)&name, &size));
    print("length %d", size);
    size = -1;
    TRY(uv_udp_getsockname(&udp, (struct sockaddr *)&name, &size));
    TRY(uv_udp_getpeername(&udp, (struct sockaddr *)&name, &size));

    /* Sending. */
    TRY(uv_udp_send(&request, &udp, &data, 1, &other, on_sent));
    TRY(uv_udp_send(&request, &udp, &data, 1, &none, on_sent));
    TRY(uv_udp_send(&request, &udp, &data, 1, NULL, on_sent));
    print("alive %d", uv_loop_alive(&loop));
    TRY(uv_udp_send(&request, &udp, &data, 1, path, on_sent));
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    TRY(uv_udp_try_send(&udp, &data, 1, &other));
    TRY(uv_udp_try_send(&udp, &data, 1, path));
    TRY(uv_udp_try_send(&udp, &data, 1, at6));
    TRY(uv_udp_try_send(&udp, &data, 1, NULL));

    /* Connecting. */
    TRY(uv_udp_connect(&udp, NULL));
    TRY(uv_udp_connect(&udp, &other));
    TRY(uv_udp_connect(&udp, path));
    TRY(uv_udp_connect(&udp, at6));
    TRY(uv_udp_connect(&udp, to));
    TRY(uv_udp_connect(&udp, to));
    TRY(uv_udp_send(&request, &udp, &data, 1, to, on_sent));
    TRY(uv_udp_try_send(&udp, &data, 1, to));
    size = sizeof name;
    TRY(uv_udp_getpeername(&udp, (struct sockaddr *)&name, &size));
    TRY(uv_udp_connect(&udp, NULL));
    TRY(uv_udp_connect(&udp, NULL));
    TRY(uv_udp_getpeername(&udp, (struct sockaddr *)&name, &size));

    /* Receiving. */
    TRY(uv_udp_recv_start(&udp, NULL, on_recv));
    TRY(uv_udp_recv_start(&udp, on_alloc, NULL));
    TRY(uv_udp_recv_start(&udp, on_alloc, on_recv));
    TRY(uv_udp_recv_start(&udp, on_alloc, on_recv));
    print("active %d", uv_is_active((uv_handle_t *)&udp));
    TRY(uv_udp_recv_stop(&udp));
    TRY(uv_udp_recv_stop(&udp));
    print("active %d", uv_is_active((uv_handle_t *)&udp));

    /* A socket created by uv_udp_init_ex. */
    TRY(uv_udp_init_ex(&loop, &early, 77));
    TRY(uv_udp_init_ex(&loop, &early, AF_UNIX));
    TRY(uv_udp_init_ex(&loop, &early, 512));
    TRY(uv_udp_init_ex(&loop, &early, UV_UDP_RECVMMSG | AF_INET6));
    print("recvmmsg %d", uv_udp_using_recvmmsg(&early));
    TRY(uv_fileno((uv_handle_t *)&early, &fd));
    TRY(uv_udp_bind(&early, at, 0));
    TRY(uv_udp_bind(&early, at6, UV_UDP_IPV6ONLY));
    TRY(uv_udp_set_ttl(&early, 256));
    TRY(uv_udp_set_ttl(&early, 255));
    TRY(uv_udp_set_ttl(&early, 1));
    TRY(uv_udp_set_multicast_ttl(&early, -1));
    TRY(uv_udp_set_multicast_ttl(&early, 0));
    TRY(uv_udp_set_multicast_ttl(&early, 255));
    TRY(uv_udp_set_multicast_loop(&early, 0));
    TRY(uv_udp_set_multicast_loop(&early, 256));
    TRY(uv_udp_set_broadcast(&early, 1));

    /* uv_udp_open. */
    uv_udp_init(&loop, &opened);
    TRY(uv_udp_open(&opened, -1));
    TRY(uv_udp_open(&opened, 999));
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    TRY(uv_udp_open(&opened, fd));
    print("non-blocking %d", (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
    TRY(uv_udp_open(&opened, fd));
    size = sizeof name;
    TRY(uv_udp_getsockname(&opened, (struct sockaddr *)&name, &size));
    size = 4096;
    TRY(uv_recv_buffer_size((uv_handle_t *)&opened, &size));
    size = 0;
    TRY(uv_recv_buffer_size((uv_handle_t *)&opened, &size));
    print("size %d", size);
    uv_close((uv_handle_t *)&opened, NULL);
    TRY(uv_fileno((uv_handle_t *)&opened, &fd));
    TRY(uv_udp_recv_stop(&opened));

    /* An address assigned by the system. */
    uv_udp_init(&loop, &unbound);
    TRY(uv_udp_connect(&unbound, to));
    size = sizeof name;
    TRY(uv_udp_getsockname(&unbound, (struct sockaddr *)&name, &size));
    TRY(uv_udp_bind(&unbound, at, 0));
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
