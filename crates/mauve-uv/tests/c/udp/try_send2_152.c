/* needs: 1.52 */
/* uv_udp_try_send2: an invalid datagram makes the call fail before anything is sent; all datagrams
 * arrive one by one. */
#include "test.h"

#include <arpa/inet.h>

#define TIMES 200

static char memory[65536], bytes[1000];
static int lengths[TIMES], received;

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(memory, sizeof memory);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)udp, (void)buffer, (void)flags;
    if (from) EXPECT(count, lengths[received++]);
}

int main(void) {
    uv_buf_t parts[TIMES][2], *buffers[TIMES];
    struct sockaddr *addresses[TIMES];
    struct sockaddr_in address;
    unsigned counts[TIMES];
    uv_udp_t server, client, unbound;
    uv_udp_send_t request;
    int size = sizeof address;
    uv_loop_t loop;

    EXPECT(uv_loop_init(&loop), 0);
    uv_udp_init(&loop, &server);
    uv_udp_init(&loop, &unbound);
    uv_ip4_addr("127.0.0.1", 0, &address);
    EXPECT(uv_udp_bind(&server, (struct sockaddr *)&address, 0), 0);
    EXPECT(uv_udp_getsockname(&server, (struct sockaddr *)&address, &size), 0);
    EXPECT(uv_udp_init_ex(&loop, &client, AF_INET), 0);
    for (int i = 0; i < TIMES; i++) {
        /* Datagrams of equal size, of different sizes, and empty ones. */
        int length = i < 100 ? 100 : i % 7 == 0 ? 0 : i % 3 == 0 ? 40 : 50;
        lengths[i] = length;
        parts[i][0] = uv_buf_init(bytes, length / 2);
        parts[i][1] = uv_buf_init(bytes, length - length / 2);
        buffers[i] = parts[i];
        counts[i] = 2;
        addresses[i] = (struct sockaddr *)&address;
    }
    EXPECT(uv_udp_try_send2(&client, 0, buffers, counts, addresses, 0), UV_EINVAL);
    EXPECT(uv_udp_try_send2(&client, 3, buffers, counts, addresses, 1), UV_EINVAL);
    EXPECT(uv_udp_try_send2(&unbound, 3, buffers, counts, addresses, 0), UV_EINVAL);
    counts[2] = 0;
    EXPECT(uv_udp_try_send2(&client, 3, buffers, counts, addresses, 0), UV_EINVAL);
    counts[2] = 2;
    addresses[2] = NULL;
    EXPECT(uv_udp_try_send2(&client, 3, buffers, counts, addresses, 0), UV_EDESTADDRREQ);
    addresses[2] = addresses[0];

    /* Datagrams without buffers are invalid in all functions. */
    EXPECT(uv_udp_try_send(&client, parts[0], 0, addresses[0]), UV_EINVAL);
    EXPECT(uv_udp_send(&request, &client, parts[0], 0, addresses[0], NULL), UV_EINVAL);

    EXPECT(uv_udp_recv_start(&server, on_alloc, on_recv), 0);
    /* libuv 1.52 sends wrong datagrams if there are more than twenty. */
    for (int at = 0; at < TIMES; at += 20)
        EXPECT(uv_udp_try_send2(&client, 20, buffers + at, counts + at, addresses + at, 0), 20);
    for (int i = 0; i < 20; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(received, TIMES);

    EXPECT(uv_udp_connect(&client, (struct sockaddr *)&address), 0);
    EXPECT(uv_udp_try_send2(&client, 3, buffers, counts, addresses, 0), UV_EISCONN);
    addresses[0] = addresses[1] = addresses[2] = NULL;
    EXPECT(uv_udp_try_send2(&client, 3, buffers, counts, addresses, 0), 3);
    received = 0;
    uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(received, 3);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
