/* A socket that has stopped receiving stays registered until a datagram arrives. If it starts again in the
 * poll phase of that event, before the event is handled, it receives in the same phase. */
#include "net.h"

static uv_udp_t receiver, sender;
static uv_poll_t poller;
static struct sockaddr_in address;
static int phase;

static void on_receive(uv_udp_t *handle, ssize_t size, const uv_buf_t *buffer,
                       const struct sockaddr *from, unsigned flags) {
    (void)handle;
    (void)buffer;
    (void)flags;
    if (size != 0 || from != NULL) print("phase %d: receive %d", phase, (int)size);
}

static void send_datagram(void) {
    uv_buf_t buffer = uv_buf_init("abc", 3);
    print("phase %d: send %d", phase, uv_udp_try_send(&sender, &buffer, 1, SOCKADDR(&address)));
}

static void on_writable(uv_poll_t *handle, int status, int events) {
    (void)handle;
    print("phase %d: poll %s %d", phase, code(status), events);
    if (phase == 1) {
        print("stop: %s", code(uv_udp_recv_stop(&receiver)));
        send_datagram();
    } else if (phase == 2) {
        print("start: %s", code(uv_udp_recv_start(&receiver, on_alloc, on_receive)));
    }
}

int main(void) {
    uv_loop_t loop;
    int ends[2], length = sizeof address;
    uv_loop_init(&loop);
    local_sockets(ends);
    uv_poll_init(&loop, &poller, ends[0]);
    uv_udp_init(&loop, &receiver);
    uv_udp_init(&loop, &sender);
    address = loopback(0);
    assert(uv_udp_bind(&receiver, SOCKADDR(&address), 0) == 0);
    assert(uv_udp_getsockname(&receiver, (struct sockaddr *)&address, &length) == 0);
    uv_poll_start(&poller, UV_WRITABLE, on_writable);
    uv_udp_recv_start(&receiver, on_alloc, on_receive);
    for (phase = 0; phase < 4; phase++) {
        print("phase %d: run %d", phase, uv_run(&loop, UV_RUN_NOWAIT));
        if (phase == 2) send_datagram();
    }
    print("close: %s", code(close_loop(&loop)));
    return 0;
}
