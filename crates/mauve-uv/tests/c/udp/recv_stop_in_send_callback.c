/* uv_udp_recv_stop in a send callback, with another datagram queued behind: the handle is active
 * until the callbacks have run. */
#include "test.h"

static uv_udp_t udp;
static struct sockaddr_in address;
static uv_udp_send_t requests[2];

static int active(void) { return uv_is_active((uv_handle_t *)&udp); }

static void on_send(uv_udp_send_t *request, int status) {
    print("sent %d: %s, active %d", (int)(request - requests), code(status), active());
    uv_udp_recv_stop(&udp);
    print("stopped: active %d, alive %d", active(), uv_loop_alive(udp.loop));
    if (request == &requests[0]) {
        uv_buf_t buf = uv_buf_init("y", 1);
        uv_udp_send(&requests[1], &udp, &buf, 1, (struct sockaddr *)&address, on_send);
    }
}

int main(void) {
    uv_loop_t loop;
    int length = sizeof address;
    uv_buf_t buf = uv_buf_init("x", 1);
    uv_loop_init(&loop);
    uv_udp_init(&loop, &udp);
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_udp_bind(&udp, (struct sockaddr *)&address, 0);
    uv_udp_getsockname(&udp, (struct sockaddr *)&address, &length);
    uv_udp_send(&requests[0], &udp, &buf, 1, (struct sockaddr *)&address, on_send);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("active %d", active());
    print("end: %s", code(close_loop(&loop)));
    return 0;
}
