/* uv_udp_recv_stop ends the activity of a handle whose sends are done and not reported yet. */
#include "../say.h"

static void on_send(uv_udp_send_t *request, int status) {
    (void)request;
    say("sent: %s", code(status));
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
    say("active: %d", uv_is_active((uv_handle_t *)&udp));
    uv_udp_recv_stop(&udp);
    say("active: %d", uv_is_active((uv_handle_t *)&udp));
    say("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("end: %s", code(finish(&loop)));
    return 0;
}
