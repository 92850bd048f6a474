/* needs: 1.53 */
/* uv_async_send while the handle closes, and afterwards, succeeds without a callback. */
#include "net.h"

static uv_async_t handle;

static void on_async(uv_async_t *async) {
    (void)async;
    print("callback");
}

static void on_close(uv_handle_t *closed) {
    print("closed, send %s", code(uv_async_send((uv_async_t *)closed)));
}

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    EXPECT(uv_async_init(&loop, &handle, on_async), 0);
    print("send %s", code(uv_async_send(&handle)));
    uv_close(HANDLE(&handle), on_close);
    print("closing, send %s", code(uv_async_send(&handle)));
    for (int i = 0; i < 3; i++) print("run %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("later, send %s", code(uv_async_send(&handle)));
    print("loop closed %s", code(uv_loop_close(&loop)));
    return 0;
}
