/* Datagrams of a socket without a name have an address of family 0. Without an address, an empty datagram
 * could not be distinguished from the call that ends a round. */
#include "net.h"

static void on_receive(uv_udp_t *handle, ssize_t size, const uv_buf_t *buffer,
                       const struct sockaddr *from, unsigned flags) {
    (void)handle;
    (void)buffer;
    print("receive %d from %d flags %u", (int)size, from == NULL ? -1 : from->sa_family, flags);
}

int main(void) {
    uv_loop_t loop;
    uv_udp_t receiver;
    int ends[2];
    uv_loop_init(&loop);
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    uv_udp_init(&loop, &receiver);
    print("open %s", code(uv_udp_open(&receiver, ends[0])));
    uv_udp_recv_start(&receiver, on_alloc, on_receive);
    assert(send(ends[1], "abc", 3, 0) == 3);
    assert(send(ends[1], "", 0, 0) == 0);
    uv_run(&loop, UV_RUN_NOWAIT);
    print("close %s", code(close_loop(&loop)));
    close(ends[1]);
    return 0;
}
