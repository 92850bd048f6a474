/* uv_close after uv_async_send: only the close callback runs. The memory is then initialised
 * again. */
#include "test.h"

static uv_async_t async;

static void on_async(uv_async_t *handle) {
    (void)handle;
    print("  async");
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    print("  closed");
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (int i = 0; i < 3; i++) {
        uv_async_init(&loop, &async, on_async);
        uv_async_send(&async);
        uv_close((uv_handle_t *)&async, on_close);
        print("active %d", uv_is_active((uv_handle_t *)&async));
        print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    }
    uv_async_init(&loop, &async, on_async);
    print("new handle, nothing sent, nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    uv_async_send(&async);
    print("sent, nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
