/* needs: mauve */
/* A datagram to an address that is neither IPv4 nor IPv6 is refused. libuv aborts. */
#include "test.h"

#include <sys/un.h>

static void on_sent(uv_udp_send_t *request, int status) {
    (void)request;
    EXPECT(status, 0);
}

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    struct sockaddr_un unix_address = {.sun_family = AF_UNIX, .sun_path = "nobody"};
    const struct sockaddr *address = (const struct sockaddr *)&unix_address;
    uv_buf_t buf = uv_buf_init("x", 1);
    uv_udp_t udp;
    uv_udp_send_t request;
    EXPECT(uv_udp_init(loop, &udp), 0);
    EXPECT(uv_udp_send(&request, &udp, &buf, 1, address, on_sent), UV_EINVAL);
    EXPECT(uv_udp_try_send(&udp, &buf, 1, address), UV_EINVAL);
    uv_close((uv_handle_t *)&udp, NULL);
    EXPECT(uv_run(loop, UV_RUN_DEFAULT), 0);
    return 0;
}
