/* needs: 1.52 */
/* A peer that is not there: what connected and error-collecting sockets hear of it. */
#include "say.h"

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
        /* libuv 1.52 forgets the sign of this number's upper half. */
        EXPECT((int)count, UV_ECONNREFUSED);
        EXPECT(from != NULL, 1);
        tell("returned");
    } else if (count == UV_ECONNREFUSED) {
        EXPECT(from == NULL, 1);
        tell("refused");
    } else {
        EXPECT(count, 0);
        EXPECT(from == NULL, 1);
        tell("drained");
    }
}

static void refused(unsigned flags) {
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
    EXPECT(finish(&loop), 0);
}

int main(void) {
    refused(0);
    EXPECT_STORY("refused drained ");
    refused(UV_UDP_LINUX_RECVERR);
    EXPECT_STORY("refused returned drained ");
    return 0;
}
