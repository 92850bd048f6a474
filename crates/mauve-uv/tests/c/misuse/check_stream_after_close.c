/* aborts: uv_read_start: the tcp handle at 0x ... , created by uv_tcp_init, is closed */
/* env: MAUVE_CHECK=1 */
#include "test.h"

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    (void)size;
    *buffer = uv_buf_init(NULL, 0);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream;
    (void)count;
    (void)buffer;
}

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_tcp_t tcp;
    uv_tcp_init(&loop, &tcp);
    uv_close((uv_handle_t *)&tcp, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    /* Without MAUVE_CHECK this returns UV_EINVAL, as in libuv. */
    uv_read_start((uv_stream_t *)&tcp, on_alloc, on_read);
    return 0;
}
