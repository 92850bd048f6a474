/* Receive callbacks: datagrams per event, the final call without data, and stopping or closing in
 * a callback. */
#include "test.h"

#include <arpa/inet.h>

static uv_loop_t loop;
static uv_udp_t server, client;
static char memory[65536];
static size_t buffer_size;
static int datagrams, stop_at, close_at;

static void on_closed(uv_handle_t *handle) {
    (void)handle;
    print("closed");
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    print("alloc %zu, own handle %d", size, handle == (uv_handle_t *)&server);
    *buffer = uv_buf_init(memory, buffer_size);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    char name[64] = "no address";
    if (from) uv_ip_name(from, name, sizeof name);
    print("recv %s, %zd bytes '%.*s' of %zu from %s flags %u active %d",
          count < 0 ? uv_err_name(count) : "", count < 0 ? 0 : count, count < 0 ? 0 : (int)count,
          memory, buffer->len, name, flags, uv_is_active((uv_handle_t *)udp));
    if (from) datagrams++;
    if (datagrams == stop_at) print("stop %d", uv_udp_recv_stop(udp));
    if (datagrams == close_at && !uv_is_closing((uv_handle_t *)udp))
        uv_close((uv_handle_t *)udp, on_closed);
}

static void begin_scenario(const char *what, size_t size) {
    print("--- %s", what);
    buffer_size = size;
    datagrams = stop_at = close_at = 0;
    stop_at = close_at = -1;
}

static void send_datagrams(int count) {
    struct sockaddr_in address;
    int size = sizeof address;
    uv_udp_getsockname(&server, (struct sockaddr *)&address, &size);
    for (int i = 0; i < count; i++) {
        uv_buf_t word = uv_buf_init("abcdefgh", i % 5);
        assert(uv_udp_try_send(&client, &word, 1, (struct sockaddr *)&address) == i % 5);
    }
}

static void run(int times) {
    while (times--)
        print("run %d", uv_run(&loop, UV_RUN_NOWAIT));
}

int main(void) {
    struct sockaddr_in address;
    uv_loop_init(&loop);
    uv_udp_init(&loop, &server);
    uv_udp_init(&loop, &client);
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_udp_bind(&server, (struct sockaddr *)&address, 0);

    begin_scenario("few datagrams", sizeof memory);
    print("start %s", code(uv_udp_recv_start(&server, on_alloc, on_recv)));
    run(1);
    send_datagrams(6);
    run(2);
    begin_scenario("more than one event delivers", sizeof memory);
    send_datagrams(40);
    run(3);
    begin_scenario("small buffer", 3);
    send_datagrams(5);
    run(2);
    begin_scenario("no buffer", 0);
    send_datagrams(2);
    run(2);
    begin_scenario("stopping", sizeof memory);
    stop_at = 3;
    send_datagrams(5);
    run(2);
    begin_scenario("starting again", sizeof memory);
    print("start %s", code(uv_udp_recv_start(&server, on_alloc, on_recv)));
    run(2);
    begin_scenario("closing", sizeof memory);
    close_at = 2;
    send_datagrams(5);
    run(2);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
