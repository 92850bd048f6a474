/* needs: 1.53 */
/* Calls on closed handles with a further argument that is wrong return its error. */
#include "tolerated/closed_handles.h"

#include "net.h"

static void on_signal(uv_signal_t *handle, int number) { (void)handle, (void)number; }
static void on_connect(uv_connect_t *request, int status) { (void)request, (void)status; }
static void on_poll(uv_poll_t *handle, int status, int events) {
    (void)handle, (void)status, (void)events;
}
static void on_connection(uv_stream_t *stream, int status) { (void)stream, (void)status; }

int main(void) {
    struct sockaddr unknown = {.sa_family = 77};
    uv_buf_t byte = uv_buf_init("x", 1);
    uv_connect_t connect;
    uv_udp_send_t send;
    uv_write_t write;

    init_and_close_all();
    print("idle %s", code(uv_idle_start(&idle, NULL)));
    print("prepare %s", code(uv_prepare_start(&prepare, NULL)));
    print("check %s", code(uv_check_start(&check, NULL)));
    print("timer %s", code(uv_timer_start(&timer, NULL, 1, 1)));
    print("poll %s", code(uv_poll_start(&poller, 0, on_poll)));
    static const int signals[] = {-1, 0, SIGKILL, SIGSTOP, 65};
    for (size_t i = 0; i < COUNT(signals); i++) {
        print("signal %d %s", signals[i], code(uv_signal_start(&watch, on_signal, signals[i])));
        print("  once %s", code(uv_signal_start_oneshot(&watch, on_signal, signals[i])));
    }
    print("tcp open %s", code(uv_tcp_open(&tcp, -1)));
    print("pipe open %s", code(uv_pipe_open(&local, -1)));
    print("udp open %s", code(uv_udp_open(&udp, -1)));
    print("connect %s", code(uv_tcp_connect(&connect, &tcp, &unknown, on_connect)));
    print("bind %s", code(uv_tcp_bind(&tcp, &unknown, 0)));
    print("listen %s", code(uv_listen(STREAM(&udp), 1, on_connection)));
    print("write %s", code(uv_write(&write, STREAM(&tcp), &byte, 0, NULL)));
    print("send %s", code(uv_udp_send(&send, &udp, &byte, 0, &unknown, NULL)));
    struct sockaddr_in address = loopback(9);
    print("send %s", code(uv_udp_send(&send, &udp, &byte, 0, SOCKADDR(&address), NULL)));
    print("try %s", code(uv_udp_try_send(&udp, &byte, 0, SOCKADDR(&address))));
    print("ttl %s %s", code(uv_udp_set_ttl(&udp, 0)), code(uv_udp_set_ttl(&udp, 256)));
    print("multicast ttl %s", code(uv_udp_set_multicast_ttl(&udp, 256)));
    print("read %s", code(uv_read_start(STREAM(&tcp), NULL, NULL)));
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
