/* aborts: mauve: uv_udp_send: the handle at */
/* A handle is overwritten before its send callback. */
#include "test.h"

#include <arpa/inet.h>

static void on_sent(uv_udp_send_t *request, int status) {
    (void)request;
    print("sent %d", status);
}

int main(void) {
    uv_loop_t loop;
    uv_udp_t udp;
    uv_udp_send_t request;
    struct sockaddr_in address;
    uv_buf_t word = uv_buf_init("word", 4);

    uv_loop_init(&loop);
    uv_udp_init(&loop, &udp);
    uv_ip4_addr("127.0.0.1", 9, &address);
    uv_udp_send(&request, &udp, &word, 1, (struct sockaddr *)&address, on_sent);
    memset(&udp, 0, sizeof udp);
    uv_run(&loop, UV_RUN_DEFAULT);
    return 0;
}
