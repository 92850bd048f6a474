/* needs: mauve */
/* A UDP or fs_event handle is started after uv_close, before its close callback. libuv creates another
 * socket, which is never closed, or a watch that keeps the loop alive. */
#include "test.h"

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size, (void)buffer;
    abort();
}

static void on_recv(uv_udp_t *handle, ssize_t count, const uv_buf_t *buffer,
                    const struct sockaddr *from, unsigned flags) {
    (void)handle, (void)count, (void)buffer, (void)from, (void)flags;
    abort();
}

static void on_sent(uv_udp_send_t *request, int status) {
    (void)request, (void)status;
    abort();
}

static void on_event(uv_fs_event_t *handle, const char *name, int events, int status) {
    (void)handle, (void)name, (void)events, (void)status;
    abort();
}

int main(void) {
    uv_loop_t loop;
    uv_udp_t udp;
    uv_udp_send_t request;
    uv_fs_event_t event;
    uv_buf_t buffer = uv_buf_init("x", 1);
    struct sockaddr_in any, peer;

    uv_loop_init(&loop);
    uv_ip4_addr("127.0.0.1", 0, &any);
    uv_ip4_addr("127.0.0.1", 9, &peer);
    uv_udp_init(&loop, &udp);
    uv_fs_event_init(&loop, &event);
    uv_close((uv_handle_t *)&udp, NULL);
    uv_close((uv_handle_t *)&event, NULL);

    EXPECT(uv_udp_bind(&udp, (struct sockaddr *)&any, 0), UV_EINVAL);
    EXPECT(uv_udp_recv_start(&udp, on_alloc, on_recv), UV_EINVAL);
    EXPECT(uv_udp_send(&request, &udp, &buffer, 1, (struct sockaddr *)&peer, on_sent), UV_EBADF);
    EXPECT(uv_udp_try_send(&udp, &buffer, 1, (struct sockaddr *)&peer), UV_EBADF);
    EXPECT(uv_fs_event_start(&event, on_event, ".", 0), UV_EINVAL);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
