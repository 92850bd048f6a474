/* uv_udp_recv_stop makes a handle inactive whose sends are completed but not reported. */
#include "../test.h"

static void on_send(uv_udp_send_t *request, int status) {
    (void)request;
    print("sent: %s", code(status));
}

int main(void) {
    uv_loop_t loop;
    uv_udp_t udp;
    uv_udp_send_t request;
    struct sockaddr_in address;
    int length = sizeof address;
    uv_buf_t buf = uv_buf_init("x", 1);
    uv_loop_init(&loop);
    uv_udp_init(&loop, &udp);
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_udp_bind(&udp, (struct sockaddr *)&address, 0);
    uv_udp_getsockname(&udp, (struct sockaddr *)&address, &length);
    uv_udp_send(&request, &udp, &buf, 1, (struct sockaddr *)&address, on_send);
    print("active: %d", uv_is_active((uv_handle_t *)&udp));
    uv_udp_recv_stop(&udp);
    print("active: %d", uv_is_active((uv_handle_t *)&udp));
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close: %s", code(close_loop(&loop)));
    return 0;
}
