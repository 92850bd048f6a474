/* needs: 1.52 */
/* ECONNREFUSED on connected sockets, with and without UV_UDP_LINUX_RECVERR. */
#include "test.h"

#include <arpa/inet.h>

static char memory[65536];

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    EXPECT(size, 65536);
    *buffer = uv_buf_init(memory, sizeof memory);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)udp, (void)buffer;
    if (flags & UV_UDP_LINUX_RECVERR) {
        /* libuv 1.52 does not sign-extend this value. */
        EXPECT((int)count, UV_ECONNREFUSED);
        EXPECT(from != NULL, 1);
        record_event("recverr");
    } else if (count == UV_ECONNREFUSED) {
        EXPECT(from == NULL, 1);
        record_event("refused");
    } else {
        EXPECT(count, 0);
        EXPECT(from == NULL, 1);
        record_event("drained");
    }
}

static void send_to_closed_port(unsigned flags) {
    uv_buf_t word = uv_buf_init("word", 4);
    struct sockaddr_in here, there;
    uv_udp_t udp;
    uv_loop_t loop;

    EXPECT(uv_loop_init(&loop), 0);
    EXPECT(uv_udp_init(&loop, &udp), 0);
    uv_ip4_addr("127.0.0.1", 0, &here);
    uv_ip4_addr("127.0.0.1", 9, &there);
    EXPECT(uv_udp_bind(&udp, (struct sockaddr *)&here, flags), 0);
    EXPECT(uv_udp_connect(&udp, (struct sockaddr *)&there), 0);
    EXPECT(uv_udp_recv_start(&udp, on_alloc, on_recv), 0);
    EXPECT(uv_udp_try_send(&udp, &word, 1, NULL), 4);
    usleep(1000);
    for (int i = 0; i < 3; i++)
        EXPECT(uv_run(&loop, UV_RUN_NOWAIT), 1);
    EXPECT(uv_udp_try_send(&udp, &word, 1, NULL), 4);
    usleep(1000);
    EXPECT(uv_udp_try_send(&udp, &word, 1, NULL), UV_ECONNREFUSED);
    EXPECT(close_loop(&loop), 0);
}

int main(void) {
    send_to_closed_port(0);
    EXPECT_EVENTS("refused drained ");
    send_to_closed_port(UV_UDP_LINUX_RECVERR);
    EXPECT_EVENTS("refused recverr drained ");
    return 0;
}
