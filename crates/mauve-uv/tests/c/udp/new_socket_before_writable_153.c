/* needs: 1.53 */
/* The order of events in one poll phase: a socket that has reported a send, and then sends in a
 * callback, comes after a socket that started in between. */
#include "test.h"

static uv_loop_t loop;
static uv_udp_t sender, old_receiver, new_receiver;
static uv_udp_send_t requests[3];
static char memory[65536];

static const char *name(const void *handle) {
    if (handle == &sender) return "sender";
    return handle == &old_receiver ? "old receiver" : "new receiver";
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(memory, sizeof memory);
}

static void send_word(int index, uv_udp_t *to, uv_udp_send_cb on_sent);
static void on_sent(uv_udp_send_t *request, int status);

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)buffer, (void)flags;
    if (!from) return;
    print("%s: recv '%.*s'", name(udp), (int)count, memory);
    /* The send is reported after this poll phase, and before the sockets of the next are registered. */
    if (memory[0] == 'g') send_word(0, &old_receiver, on_sent);
}

static void start(uv_udp_t *udp) {
    struct sockaddr_in address;
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_udp_init(&loop, udp);
    uv_udp_bind(udp, (struct sockaddr *)&address, 0);
    print("%s: start %s", name(udp), code(uv_udp_recv_start(udp, on_alloc, on_recv)));
}

static void send_word(int index, uv_udp_t *to, uv_udp_send_cb on_sent) {
    static char *const words[] = {"one", "two", "three"};
    struct sockaddr_in address;
    int size = sizeof address;
    uv_udp_getsockname(to, (struct sockaddr *)&address, &size);
    uv_buf_t word = uv_buf_init(words[index], strlen(words[index]));
    int result = uv_udp_send(&requests[index], &sender, &word, 1, (struct sockaddr *)&address, on_sent);
    print("send %s to %s: %s", words[index], name(to), code(result));
}

static void on_sent(uv_udp_send_t *request, int status) {
    print("sent %d: %s", (int)(request - requests), code(status));
}

static void on_sent_send(uv_udp_send_t *request, int status) {
    on_sent(request, status);
    send_word(2, &old_receiver, on_sent);
}

int main(void) {
    uv_loop_init(&loop);
    start(&sender);
    start(&old_receiver);
    struct sockaddr_in address;
    int size = sizeof address;
    uv_udp_getsockname(&old_receiver, (struct sockaddr *)&address, &size);
    uv_buf_t word = uv_buf_init("go", 2);
    print("try_send %d", uv_udp_try_send(&sender, &word, 1, (struct sockaddr *)&address));
    uv_run(&loop, UV_RUN_ONCE);
    start(&new_receiver);
    send_word(1, &new_receiver, on_sent_send);
    for (int i = 0; i < 3; i++) {
        print("run");
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
