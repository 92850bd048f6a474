/* Several datagrams with one call: parts of a buffer, and the whole of it at the end. */
#include "say.h"

#include <arpa/inet.h>

#define PART 65536

static uv_loop_t loop;
static uv_udp_t server, client;
static char memory[PART * 21];
static size_t room;
static int calls, stop_at = -1;

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    say("alloc %zu", size);
    *buffer = uv_buf_init(memory, room);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    say("recv %s%zd at %td of %zu from somebody %d flags %u", count < 0 ? "error " : "", count,
        buffer->base - memory, buffer->len, from != NULL, flags);
    if (++calls == stop_at) say("stop %d", uv_udp_recv_stop(udp));
}

static void round_of(const char *what, size_t size, int count) {
    struct sockaddr_in address;
    int length = sizeof address;
    say("--- %s", what);
    room = size;
    calls = 0;
    uv_udp_getsockname(&server, (struct sockaddr *)&address, &length);
    for (int i = 0; i < count; i++) {
        uv_buf_t word = uv_buf_init("abcdefgh", i % 5);
        uv_udp_try_send(&client, &word, 1, (struct sockaddr *)&address);
    }
    say("run %d", uv_run(&loop, UV_RUN_NOWAIT));
    say("run %d", uv_run(&loop, UV_RUN_NOWAIT));
}

int main(void) {
    struct sockaddr_in address;
    uv_loop_init(&loop);
    uv_udp_init_ex(&loop, &server, AF_INET | UV_UDP_RECVMMSG);
    uv_udp_init(&loop, &client);
    say("using %d, not using %d", uv_udp_using_recvmmsg(&server), uv_udp_using_recvmmsg(&client));
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_udp_bind(&server, (struct sockaddr *)&address, 0);
    uv_udp_recv_start(&server, on_alloc, on_recv);
    round_of("room for three and a bit", PART * 3 + 100, 5);
    round_of("room for one", PART, 3);
    round_of("more room than is used", sizeof memory, 50);
    stop_at = 2;
    round_of("stopping in the middle", PART * 4, 4);
    say("finish %s", code(finish(&loop)));
    return 0;
}
