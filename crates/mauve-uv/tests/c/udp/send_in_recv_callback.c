/* Sockets that send to themselves and to each other in their callbacks: the order of all
 * callbacks. */
#include "test.h"

#include <arpa/inet.h>

enum { IN_RECV = 1, IN_END = 2, IN_ALLOC = 4, STOP_IN_END = 8, CLOSE_IN_END = 16 };

static uv_loop_t loop;
static uv_udp_t first, second;
static uv_udp_send_t requests[16];
static struct sockaddr_in address[2];
static uv_check_t check;
static int used, actions, remaining;
static char memory[2][64];

static const char *name(const void *handle) { return handle == &first ? "first" : "second"; }

static void print_udp_state(uv_udp_t *udp) {
    print("  %s: size %zu count %zu active %d", name(udp), uv_udp_get_send_queue_size(udp),
          uv_udp_get_send_queue_count(udp), uv_is_active((uv_handle_t *)udp));
}

static void on_sent(uv_udp_send_t *request, int status) {
    print("sent %td of %s: %s", request - requests, name(request->handle), code(status));
    print_udp_state(request->handle);
}

static void on_closed(uv_handle_t *handle) { print("closed %s", name(handle)); }

static void on_check(uv_check_t *handle) {
    (void)handle;
    print("check");
}

/* Sends a datagram with a letter for the request. */
static void send_datagram(uv_udp_t *from, int to) {
    static char text[16][2];
    if (remaining-- <= 0 || used == 16) return;
    text[used][0] = 'a' + used;
    uv_buf_t buffer = uv_buf_init(text[used], 1);
    print("%s sends %c to %d: %s", name(from), 'a' + used, to,
          code(uv_udp_send(&requests[used], from, &buffer, 1, (struct sockaddr *)&address[to],
                           on_sent)));
    used++;
    print_udp_state(from);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)size;
    print("alloc for %s", name(handle));
    *buffer = uv_buf_init(memory[handle == (uv_handle_t *)&second], 64);
    if (actions & IN_ALLOC) send_datagram((uv_udp_t *)handle, handle == (uv_handle_t *)&second);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    int own_index = udp == &second;
    print("%s receives %zd '%.*s' flags %u, has address %d", name(udp), count,
          count > 0 ? (int)count : 0, buffer->base, flags, from != NULL);
    if (from != NULL) {
        if (actions & IN_RECV) {
            send_datagram(udp, own_index);
            send_datagram(udp, !own_index);
        }
        return;
    }
    if (actions & IN_END) send_datagram(udp, own_index);
    if (actions & STOP_IN_END) print("stop %d", uv_udp_recv_stop(udp));
    if (actions & CLOSE_IN_END && !uv_is_closing((uv_handle_t *)udp))
        uv_close((uv_handle_t *)udp, on_closed);
}

static void start_receiving(void) {
    uv_udp_recv_start(&first, on_alloc, on_recv);
    uv_udp_recv_start(&second, on_alloc, on_recv);
}

static void run_scenario(const char *what, int new_actions, int sends) {
    print("--- %s", what);
    used = 0;
    actions = new_actions;
    remaining = sends + 1;
    start_receiving();
    send_datagram(&first, 0);
    for (int i = 0; i < 4; i++)
        print("run %d", uv_run(&loop, UV_RUN_NOWAIT));
}

int main(void) {
    uv_udp_t *both[] = {&first, &second};
    uv_loop_init(&loop);
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    for (int i = 0; i < 2; i++) {
        int size = sizeof address[i];
        uv_ip4_addr("127.0.0.1", 0, &address[i]);
        uv_udp_init(&loop, both[i]);
        uv_udp_bind(both[i], (struct sockaddr *)&address[i], 0);
        uv_udp_getsockname(both[i], (struct sockaddr *)&address[i], &size);
    }
    run_scenario("one datagram", 0, 0);
    run_scenario("one send in a receive callback", IN_RECV, 1);
    run_scenario("sends in receive callbacks", IN_RECV, 5);
    run_scenario("one send in the final receive callback", IN_END, 1);
    run_scenario("sends in final receive callbacks", IN_END, 3);
    run_scenario("sends in alloc callbacks", IN_ALLOC, 3);
    run_scenario("sends in all callbacks", IN_RECV | IN_END | IN_ALLOC, 9);
    run_scenario("stopping in the final receive callback", IN_RECV | IN_END | STOP_IN_END, 3);
    run_scenario("closing in the final receive callback", IN_RECV | IN_END | CLOSE_IN_END, 4);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
