/* UDP: send, try_send, connected sockets, recvmmsg, multicast options. */
#include "workload.h"

enum { SENDS = 6 };

static uv_loop_t loop;
static uv_udp_t receiver, sender, connected, batched;
static uv_udp_send_t sends[SENDS], connected_sends[SENDS];
static int received, received_in_batch, tried;
static char batch_buffer[20 * 65536];

static void on_send(uv_udp_send_t *send, int status) {
    (void)send;
    reported("send", status);
}

static void on_batch_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    (void)size;
    *buffer = uv_buf_init(batch_buffer, sizeof batch_buffer);
}

static void on_receive(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                       const struct sockaddr *from, unsigned flags) {
    (void)buffer;
    (void)flags;
    if (count < 0) return record_error("receive", count);
    if (from == NULL) return;
    int *counter = udp == &batched ? &received_in_batch : &received;
    if (++*counter == SENDS + (udp == &receiver && tried)) end_handle(udp);
    if (received == SENDS + tried && received_in_batch == SENDS) {
        end_handle(&sender);
        end_handle(&connected);
    }
}

static int bound(uv_udp_t *udp, struct sockaddr_in *address, unsigned flags) {
    int length = sizeof *address;
    uv_ip4_addr("127.0.0.1", 0, address);
    if (check("init", uv_udp_init_ex(&loop, udp, AF_INET | flags)) != 0) return 0;
    if (check("bind", uv_udp_bind(udp, SOCKADDR(address), 0)) != 0) return 0;
    int result = uv_udp_getsockname(udp, (struct sockaddr *)address, &length);
    return check("getsockname", result) == 0;
}

static void send_all(void) {
    struct sockaddr_in to, to_batched;
    uv_buf_t text = uv_buf_init("datagram", 8);
    if (!bound(&receiver, &to, 0) || !bound(&batched, &to_batched, UV_UDP_RECVMMSG)) return;
    if (check("recv_start", uv_udp_recv_start(&receiver, on_alloc, on_receive)) != 0) return;
    if (check("recv_start", uv_udp_recv_start(&batched, on_batch_alloc, on_receive)) != 0) return;
    if (check("init", uv_udp_init(&loop, &sender)) != 0) return;
    if (check("init", uv_udp_init(&loop, &connected)) != 0) return;
    int result = uv_udp_try_send(&sender, &text, 1, SOCKADDR(&to));
    if (result != UV_EAGAIN) tried = check("try_send", result) > 0;
    if (check("connect", uv_udp_connect(&connected, SOCKADDR(&to_batched))) != 0) return;
    check("membership", uv_udp_set_membership(&receiver, "239.255.0.1", "127.0.0.1", UV_JOIN_GROUP));
    check("loop", uv_udp_set_multicast_loop(&sender, 1));
    check("ttl", uv_udp_set_ttl(&sender, 4));
    for (int i = 0; i < SENDS; i++) {
        result = uv_udp_send(&sends[i], &sender, &text, 1, SOCKADDR(&to), on_send);
        started("send", result);
        result = uv_udp_send(&connected_sends[i], &connected, &text, 1, NULL, on_send);
        started("send", result);
    }
}

int main(void) {
    set_injection(1);
    if (init_loop(&loop)) {
        send_all();
        finish_loop(&loop);
        complete("datagrams", received == SENDS + tried);
        complete("datagrams of a batch", received_in_batch == SENDS);
    }
    return exit_code();
}
