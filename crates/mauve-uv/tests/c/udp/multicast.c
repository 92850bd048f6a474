/* Multicast groups on the loopback interface: joining, leaving and receiving. */
#include "test.h"

#include <arpa/inet.h>

static uv_loop_t loop;
static char memory[65536];

#define TRY(call)                                                                                \
    do {                                                                                         \
        int result = (call);                                                                     \
        print("%s: %s", #call, code(result));                                                    \
    } while (0)

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(memory, sizeof memory);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)udp;
    if (from) print("recv %.*s flags %u", (int)count, buffer->base, flags);
}

int main(void) {
    uv_buf_t word = uv_buf_init("all of you", 10);
    struct sockaddr_in address, group;
    uv_udp_t member, six, sender;
    int size = sizeof address;

    uv_loop_init(&loop);
    uv_udp_init(&loop, &member);
    TRY(uv_udp_set_membership(&member, "bad", NULL, UV_JOIN_GROUP));
    TRY(uv_udp_set_membership(&member, "239.255.0.77", "bad", UV_JOIN_GROUP));
    TRY(uv_udp_set_membership(&member, "239.255.0.77", "127.0.0.1", 7));
    TRY(uv_udp_set_membership(&member, "1.2.3.4", "127.0.0.1", UV_JOIN_GROUP));
    TRY(uv_udp_set_membership(&member, "239.255.0.77", "127.0.0.1", UV_JOIN_GROUP));
    TRY(uv_udp_set_membership(&member, "239.255.0.77", "127.0.0.1", UV_JOIN_GROUP));
    TRY(uv_udp_set_membership(&member, "239.255.0.78", "127.0.0.1", UV_LEAVE_GROUP));
    TRY(uv_udp_set_membership(&member, "ff02::77", NULL, UV_JOIN_GROUP));
    TRY(uv_udp_getsockname(&member, (struct sockaddr *)&address, &size));
    uv_udp_recv_start(&member, on_alloc, on_recv);

    uv_udp_init_ex(&loop, &sender, AF_INET);
    TRY(uv_udp_set_multicast_interface(&sender, "bad"));
    TRY(uv_udp_set_multicast_interface(&sender, "::1"));
    TRY(uv_udp_set_multicast_interface(&sender, NULL));
    TRY(uv_udp_set_multicast_interface(&sender, "127.0.0.1"));
    TRY(uv_udp_set_multicast_loop(&sender, 1));
    TRY(uv_udp_set_multicast_ttl(&sender, 0));
    uv_ip4_addr("239.255.0.77", ntohs(address.sin_port), &group);
    print("send %d", uv_udp_try_send(&sender, &word, 1, (struct sockaddr *)&group));
    print("run %d", uv_run(&loop, UV_RUN_ONCE));
    TRY(uv_udp_set_membership(&member, "239.255.0.77", "127.0.0.1", UV_LEAVE_GROUP));
    TRY(uv_udp_set_membership(&member, "239.255.0.77", "127.0.0.1", UV_LEAVE_GROUP));
    print("send %d", uv_udp_try_send(&sender, &word, 1, (struct sockaddr *)&group));
    print("run %d", uv_run(&loop, UV_RUN_NOWAIT));

    TRY(uv_udp_set_source_membership(&member, "239.255.0.77", "127.0.0.1", "bad", UV_JOIN_GROUP));
    TRY(uv_udp_set_source_membership(&member, "239.255.0.77", "127.0.0.1", "::1", UV_JOIN_GROUP));
    TRY(uv_udp_set_source_membership(&member, "239.255.0.77", "127.0.0.1", "127.0.0.1",
                                     UV_JOIN_GROUP));
    print("send %d", uv_udp_try_send(&sender, &word, 1, (struct sockaddr *)&group));
    print("run %d", uv_run(&loop, UV_RUN_ONCE));
    TRY(uv_udp_set_source_membership(&member, "239.255.0.77", "127.0.0.1", "127.0.0.1",
                                     UV_LEAVE_GROUP));

    uv_udp_init(&loop, &six);
    TRY(uv_udp_set_membership(&six, "ff02::77", "::1%lo", UV_JOIN_GROUP));
    TRY(uv_udp_set_membership(&six, "ff02::77", "bad", UV_JOIN_GROUP));
    TRY(uv_udp_set_membership(&six, "ff02::77", "::1%lo", UV_LEAVE_GROUP));
    TRY(uv_udp_set_source_membership(&six, "ff32::77", "::1%lo", "::1", UV_JOIN_GROUP));
    TRY(uv_udp_set_source_membership(&six, "ff32::77", "::1%lo", "::1", UV_LEAVE_GROUP));
    TRY(uv_udp_set_multicast_interface(&six, "::1%lo"));
    TRY(uv_udp_set_multicast_interface(&six, NULL));
    TRY(uv_udp_set_ttl(&six, 7));
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
