/* needs: 1.52 */
/* uv_close in the middle of a recvmmsg batch: the rest of it is reported, and the buffer is
 * returned with UV_UDP_MMSG_FREE. */
#include "test.h"

#include <arpa/inet.h>

static char memory[65536 * 4];
static int calls;

static void on_closed(uv_handle_t *handle) {
    (void)handle;
    record_event("closed");
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    record_event("alloc");
    *buffer = uv_buf_init(memory, sizeof memory);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)count, (void)from;
    if (flags & UV_UDP_MMSG_FREE) {
        EXPECT(buffer->base == memory, 1);
        EXPECT(buffer->len, sizeof memory);
        record_event("free");
        return;
    }
    EXPECT(flags, UV_UDP_MMSG_CHUNK);
    record_event("part");
    if (++calls == 2) uv_close((uv_handle_t *)udp, on_closed);
}

int main(void) {
    uv_buf_t word = uv_buf_init("word", 4);
    struct sockaddr_in address;
    uv_udp_t server, client;
    int size = sizeof address;
    uv_loop_t loop;

    EXPECT(uv_loop_init(&loop), 0);
    EXPECT(uv_udp_init_ex(&loop, &server, AF_INET | UV_UDP_RECVMMSG), 0);
    EXPECT(uv_udp_init(&loop, &client), 0);
    uv_ip4_addr("127.0.0.1", 0, &address);
    EXPECT(uv_udp_bind(&server, (struct sockaddr *)&address, 0), 0);
    EXPECT(uv_udp_getsockname(&server, (struct sockaddr *)&address, &size), 0);
    EXPECT(uv_udp_recv_start(&server, on_alloc, on_recv), 0);
    for (int i = 0; i < 6; i++)
        EXPECT(uv_udp_try_send(&client, &word, 1, (struct sockaddr *)&address), 4);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT_EVENTS("alloc part part part part free closed ");
    EXPECT(uv_udp_using_recvmmsg(&server), 1);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
