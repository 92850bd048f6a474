/* uv_loop_alive: receiving keeps a loop alive unless unreferenced; a send does until its callback.
 * */
#include "test.h"

#include <arpa/inet.h>

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size, (void)buffer;
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)udp, (void)count, (void)buffer, (void)from, (void)flags;
}

static void on_sent(uv_udp_send_t *request, int status) {
    print("sent %s, active %d", code(status), uv_is_active((uv_handle_t *)request->handle));
}

int main(void) {
    uv_buf_t word = uv_buf_init("word", 4);
    struct sockaddr_in address;
    uv_udp_send_t request;
    uv_loop_t loop;
    uv_udp_t udp;

    uv_loop_init(&loop);
    uv_udp_init(&loop, &udp);
    uv_ip4_addr("127.0.0.1", 9, &address);
    print("alive %d", uv_loop_alive(&loop));
    uv_udp_recv_start(&udp, on_alloc, on_recv);
    print("receiving: alive %d active %d", uv_loop_alive(&loop), uv_is_active((uv_handle_t *)&udp));
    uv_unref((uv_handle_t *)&udp);
    print("unreferenced: alive %d run %d", uv_loop_alive(&loop), uv_run(&loop, UV_RUN_DEFAULT));
    uv_udp_send(&request, &udp, &word, 1, (struct sockaddr *)&address, on_sent);
    print("sending: alive %d", uv_loop_alive(&loop));
    uv_udp_recv_stop(&udp);
    print("not receiving: alive %d active %d", uv_loop_alive(&loop),
          uv_is_active((uv_handle_t *)&udp));
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("sent: alive %d active %d", uv_loop_alive(&loop), uv_is_active((uv_handle_t *)&udp));
    uv_ref((uv_handle_t *)&udp);
    uv_udp_send(&request, &udp, &word, 1, (struct sockaddr *)&address, on_sent);
    print("sending: active %d", uv_is_active((uv_handle_t *)&udp));
    uv_close((uv_handle_t *)&udp, NULL);
    print("closing: active %d alive %d", uv_is_active((uv_handle_t *)&udp), uv_loop_alive(&loop));
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
