/* needs: mauve */
/* uv_udp_try_send2 sends more than twenty datagrams in one call, each of them once. */
#include "test.h"

#include <arpa/inet.h>

enum { MANY = 70 };

static char memory[65536];
static int next;

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(memory, sizeof memory);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)udp, (void)flags;
    if (from == NULL) return;
    EXPECT(count, 1);
    EXPECT(buffer->base[0], next++);
}

int main(void) {
    static char bytes[MANY];
    static uv_buf_t parts[MANY], *buffers[MANY];
    static struct sockaddr *addresses[MANY];
    static unsigned counts[MANY];
    struct sockaddr_in address;
    int length = sizeof address;
    uv_loop_t loop;
    uv_udp_t server, client;
    uv_loop_init(&loop);
    uv_udp_init(&loop, &server);
    uv_udp_init_ex(&loop, &client, AF_INET);
    uv_ip4_addr("127.0.0.1", 0, &address);
    EXPECT(uv_udp_bind(&server, (struct sockaddr *)&address, 0), 0);
    EXPECT(uv_udp_getsockname(&server, (struct sockaddr *)&address, &length), 0);
    for (int i = 0; i < MANY; i++) {
        bytes[i] = (char)i;
        parts[i] = uv_buf_init(&bytes[i], 1);
        buffers[i] = &parts[i];
        addresses[i] = (struct sockaddr *)&address;
        counts[i] = 1;
    }
    EXPECT(uv_udp_recv_start(&server, on_alloc, on_recv), 0);
    EXPECT(uv_udp_try_send2(&client, MANY, buffers, counts, addresses, 0), MANY);
    for (int i = 0; i < 100 && next < MANY; i++) uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(next, MANY);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
