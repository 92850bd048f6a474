/* needs: mauve */
/* uv_async_send after uv_loop_close and free(loop) does nothing. */
#include "test.h"

static uv_async_t async;

static void send_late(void *unused) {
    (void)unused;
    EXPECT(uv_async_send(&async), 0);
}

int main(void) {
    uv_loop_t *loop = malloc(sizeof *loop);
    uv_thread_t thread;
    uv_loop_init(loop);
    uv_async_init(loop, &async, NULL);
    uv_close((uv_handle_t *)&async, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    EXPECT(uv_async_send(&async), 0);
    EXPECT(uv_loop_close(loop), 0);
    memset(loop, 0xa5, sizeof *loop);
    free(loop);
    uv_thread_create(&thread, send_late, NULL);
    uv_thread_join(&thread);
    return 0;
}
