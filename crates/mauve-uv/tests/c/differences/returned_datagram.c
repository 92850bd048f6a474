/* needs: mauve */
/* A datagram that has come back is told with a negative number, in all its bits. */
#include "say.h"

#include <arpa/inet.h>

static char memory[65536];
static int returned;

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(memory, sizeof memory);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)udp, (void)buffer, (void)from;
    if ((flags & UV_UDP_LINUX_RECVERR) == 0) return;
    EXPECT(count, UV_ECONNREFUSED);
    returned++;
}

int main(void) {
    uv_buf_t word = uv_buf_init("word", 4);
    struct sockaddr_in here, there;
    uv_loop_t loop;
    uv_udp_t udp;
    uv_loop_init(&loop);
    uv_udp_init(&loop, &udp);
    uv_ip4_addr("127.0.0.1", 0, &here);
    uv_ip4_addr("127.0.0.1", 9, &there);
    EXPECT(uv_udp_bind(&udp, (struct sockaddr *)&here, UV_UDP_LINUX_RECVERR), 0);
    EXPECT(uv_udp_connect(&udp, (struct sockaddr *)&there), 0);
    EXPECT(uv_udp_recv_start(&udp, on_alloc, on_recv), 0);
    EXPECT(uv_udp_try_send(&udp, &word, 1, NULL), 4);
    for (int i = 0; i < 100 && returned == 0; i++) {
        uv_sleep(1);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    EXPECT(returned, 1);
    EXPECT(finish(&loop), 0);
    return 0;
}
