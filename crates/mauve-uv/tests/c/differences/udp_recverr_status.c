/* needs: mauve */
/* UV_UDP_LINUX_RECVERR: an ICMP error is reported with a negative nread. In libuv 1.52 the value
 * loses its sign. */
#include "test.h"

#include <arpa/inet.h>

static char memory[65536];
static int errors;

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(memory, sizeof memory);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)udp, (void)buffer, (void)from;
    if ((flags & UV_UDP_LINUX_RECVERR) == 0) return;
    EXPECT(count, UV_ECONNREFUSED);
    errors++;
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
    for (int i = 0; i < 100 && errors == 0; i++) {
        uv_sleep(1);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    EXPECT(errors, 1);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
