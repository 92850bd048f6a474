/* uv_udp_open with UDP, local datagram and stream sockets: truncated datagrams, sender addresses,
 * and sends of several buffers. */
#include "test.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>

static uv_loop_t loop;
static char memory[8];

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    memset(memory, 0, sizeof memory);
    *buffer = uv_buf_init(memory, 4);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)udp;
    print("recv %zd '%.*s' of %zu, from family %d, flags %u", count, count > 0 ? (int)count : 0,
          buffer->base, buffer->len, from == NULL ? 0 : from->sa_family, flags);
}

static void on_sent(uv_udp_send_t *request, int status) {
    (void)request;
    print("sent %s", code(status));
}

/* Sends from `peer` to a handle for `fd`, and back. */
static void exchange(const char *what, int fd, int peer) {
    static char *texts[] = {"", "a", "abcd", "abcdefgh", "ij"};
    static uv_buf_t pieces[1025];
    uv_buf_t empty[2] = {{.base = NULL, .len = 0}, {.base = "xy", .len = 2}};
    uv_udp_send_t request;
    uv_udp_t udp;
    char received[64];

    print("--- %s", what);
    uv_udp_init(&loop, &udp);
    print("open %s", code(uv_udp_open(&udp, fd)));
    print("start %s", code(uv_udp_recv_start(&udp, on_alloc, on_recv)));
    for (int i = 0; i < 5; i++) {
        print("send '%s'", texts[i]);
        assert(send(peer, texts[i], strlen(texts[i]), 0) == (ssize_t)strlen(texts[i]));
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    for (int i = 0; i < 1025; i++)
        pieces[i] = uv_buf_init("ABCDEFGH" + i % 8, 1);
    static const int counts[] = {1, 3, 1025};
    for (int i = 0; i < 3; i++) {
        print("send %d: %s", counts[i],
              code(uv_udp_send(&request, &udp, pieces, counts[i], NULL, on_sent)));
        uv_run(&loop, UV_RUN_NOWAIT);
        ssize_t count = recv(peer, received, sizeof received, MSG_DONTWAIT);
        print("peer received %zd '%.*s'", count, count > 0 ? (int)count : 0, received);
    }
    print("send: %s", code(uv_udp_send(&request, &udp, empty, 2, NULL, on_sent)));
    print("  size %zu count %zu", udp.send_queue_size, udp.send_queue_count);
    uv_run(&loop, UV_RUN_NOWAIT);
    print("  size %zu count %zu", udp.send_queue_size, udp.send_queue_count);
    print("peer received %zd", recv(peer, received, sizeof received, MSG_DONTWAIT));
    uv_close((uv_handle_t *)&udp, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(peer);
}

/* A pair of connected UDP sockets. */
static void udp_pair(int family, int pair[2]) {
    struct sockaddr_storage address[2] = {0};
    socklen_t size = sizeof address[0];
    for (int i = 0; i < 2; i++) {
        if (family == AF_INET)
            uv_ip4_addr("127.0.0.1", 0, (struct sockaddr_in *)&address[i]);
        else
            uv_ip6_addr("::1", 0, (struct sockaddr_in6 *)&address[i]);
        size = family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
        pair[i] = socket(family, SOCK_DGRAM, 0);
        assert(bind(pair[i], (struct sockaddr *)&address[i], size) == 0);
        assert(getsockname(pair[i], (struct sockaddr *)&address[i], &size) == 0);
    }
    for (int i = 0; i < 2; i++)
        assert(connect(pair[i], (struct sockaddr *)&address[!i], size) == 0);
}

/* Both ends of a TCP connection. */
static void tcp_pair(int pair[2]) {
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    int server = socket(AF_INET, SOCK_STREAM, 0);
    uv_ip4_addr("127.0.0.1", 0, &address);
    assert(bind(server, (struct sockaddr *)&address, size) == 0 && listen(server, 1) == 0);
    assert(getsockname(server, (struct sockaddr *)&address, &size) == 0);
    pair[1] = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(pair[1], (struct sockaddr *)&address, size) == 0);
    pair[0] = accept(server, NULL, NULL);
    close(server);
}

int main(void) {
    int pair[2];
    uv_loop_init(&loop);
    udp_pair(AF_INET, pair);
    exchange("UDP", pair[0], pair[1]);
    udp_pair(AF_INET6, pair);
    exchange("UDP over IPv6", pair[0], pair[1]);
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    exchange("local datagrams", pair[0], pair[1]);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    exchange("local stream", pair[0], pair[1]);
    tcp_pair(pair);
    exchange("TCP", pair[0], pair[1]);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
