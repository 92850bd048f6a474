/* aborts: mauve: uv_udp_recv: the handle at */
/* A receive callback overwrites its handle while more callbacks are due. */
#include "test.h"

#include <arpa/inet.h>

static uv_loop_t loop;
static uv_udp_t udp;
static char memory[16];

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(memory, sizeof memory);
}

static void on_recv(uv_udp_t *handle, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)count, (void)buffer, (void)from, (void)flags;
    memset(handle, 0, sizeof *handle);
}

int main(void) {
    struct sockaddr_in address;
    int size = sizeof address;
    uv_buf_t word = uv_buf_init("word", 4);

    uv_loop_init(&loop);
    uv_udp_init(&loop, &udp);
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_udp_bind(&udp, (struct sockaddr *)&address, 0);
    uv_udp_getsockname(&udp, (struct sockaddr *)&address, &size);
    uv_udp_recv_start(&udp, on_alloc, on_recv);
    uv_udp_try_send(&udp, &word, 1, (struct sockaddr *)&address);
    uv_run(&loop, UV_RUN_DEFAULT);
    return 0;
}
