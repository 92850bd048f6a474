/* UV_UDP_RECVMMSG: several datagrams per call in parts of one buffer, which is returned with
 * UV_UDP_MMSG_FREE. */
#include "test.h"

#include <arpa/inet.h>

#define PART 65536

static uv_loop_t loop;
static uv_udp_t server, client;
static char memory[PART * 21];
static size_t buffer_size;
static int calls, stop_at = -1;

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    print("alloc %zu", size);
    *buffer = uv_buf_init(memory, buffer_size);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    print("recv %s%zd at %td of %zu has address %d flags %u", count < 0 ? "error " : "", count,
          buffer->base - memory, buffer->len, from != NULL, flags);
    if (++calls == stop_at) print("stop %d", uv_udp_recv_stop(udp));
}

static void run_scenario(const char *what, size_t size, int count) {
    struct sockaddr_in address;
    int length = sizeof address;
    print("--- %s", what);
    buffer_size = size;
    calls = 0;
    uv_udp_getsockname(&server, (struct sockaddr *)&address, &length);
    for (int i = 0; i < count; i++) {
        uv_buf_t buffer = uv_buf_init("abcdefgh", i % 5);
        uv_udp_try_send(&client, &buffer, 1, (struct sockaddr *)&address);
    }
    print("run %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("run %d", uv_run(&loop, UV_RUN_NOWAIT));
}

int main(void) {
    struct sockaddr_in address;
    uv_loop_init(&loop);
    uv_udp_init_ex(&loop, &server, AF_INET | UV_UDP_RECVMMSG);
    uv_udp_init(&loop, &client);
    print("using %d, not using %d", uv_udp_using_recvmmsg(&server), uv_udp_using_recvmmsg(&client));
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_udp_bind(&server, (struct sockaddr *)&address, 0);
    uv_udp_recv_start(&server, on_alloc, on_recv);
    run_scenario("space for three and a part", PART * 3 + 100, 5);
    run_scenario("space for one", PART, 3);
    run_scenario("more space than is used", sizeof memory, 50);
    stop_at = 2;
    run_scenario("stopping in the middle", PART * 4, 4);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
