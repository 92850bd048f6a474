/* Sockets that send to themselves and to each other in their callbacks: what comes in which order. */
#include "say.h"

#include <arpa/inet.h>

enum { IN_RECV = 1, IN_END = 2, IN_ALLOC = 4, STOP_IN_END = 8, CLOSE_IN_END = 16 };

static uv_loop_t loop;
static uv_udp_t first, second;
static uv_udp_send_t requests[16];
static struct sockaddr_in address[2];
static uv_check_t check;
static int used, doing, left;
static char memory[2][64];

static const char *name(const void *handle) { return handle == &first ? "first" : "second"; }

static void state(uv_udp_t *udp) {
    say("  %s: size %zu count %zu active %d", name(udp), uv_udp_get_send_queue_size(udp),
        uv_udp_get_send_queue_count(udp), uv_is_active((uv_handle_t *)udp));
}

static void on_sent(uv_udp_send_t *request, int status) {
    say("sent %td of %s: %s", request - requests, name(request->handle), code(status));
    state(request->handle);
}

static void on_closed(uv_handle_t *handle) { say("closed %s", name(handle)); }

static void on_check(uv_check_t *handle) {
    (void)handle;
    say("check");
}

/* Sends the number of the request. */
static void speak(uv_udp_t *from, int to) {
    static char text[16][2];
    if (left-- <= 0 || used == 16) return;
    text[used][0] = 'a' + used;
    uv_buf_t buffer = uv_buf_init(text[used], 1);
    say("%s sends %c to %d: %s", name(from), 'a' + used, to,
        code(uv_udp_send(&requests[used], from, &buffer, 1, (struct sockaddr *)&address[to], on_sent)));
    used++;
    state(from);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)size;
    say("alloc for %s", name(handle));
    *buffer = uv_buf_init(memory[handle == (uv_handle_t *)&second], 64);
    if (doing & IN_ALLOC) speak((uv_udp_t *)handle, handle == (uv_handle_t *)&second);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    int own = udp == &second;
    say("%s hears %zd '%.*s' flags %u, from somebody %d", name(udp), count,
        count > 0 ? (int)count : 0, buffer->base, flags, from != NULL);
    if (from != NULL) {
        if (doing & IN_RECV) {
            speak(udp, own);
            speak(udp, !own);
        }
        return;
    }
    if (doing & IN_END) speak(udp, own);
    if (doing & STOP_IN_END) say("stop %d", uv_udp_recv_stop(udp));
    if (doing & CLOSE_IN_END && !uv_is_closing((uv_handle_t *)udp))
        uv_close((uv_handle_t *)udp, on_closed);
}

static void listen_again(void) {
    uv_udp_recv_start(&first, on_alloc, on_recv);
    uv_udp_recv_start(&second, on_alloc, on_recv);
}

static void scene(const char *what, int do_what, int how_often) {
    say("--- %s", what);
    used = 0;
    doing = do_what;
    left = how_often + 1;
    listen_again();
    speak(&first, 0);
    for (int i = 0; i < 4; i++)
        say("run %d", uv_run(&loop, UV_RUN_NOWAIT));
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
    scene("one word", 0, 0);
    scene("an answer while receiving", IN_RECV, 1);
    scene("answers while receiving", IN_RECV, 5);
    scene("one at the end of a round", IN_END, 1);
    scene("at every end of a round", IN_END, 3);
    scene("while a buffer is asked for", IN_ALLOC, 3);
    scene("everywhere", IN_RECV | IN_END | IN_ALLOC, 9);
    scene("stopping at the end", IN_RECV | IN_END | STOP_IN_END, 3);
    scene("closing at the end", IN_RECV | IN_END | CLOSE_IN_END, 4);
    say("finish %s", code(finish(&loop)));
    return 0;
}
