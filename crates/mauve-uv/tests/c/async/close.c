/* Closing after sending: only the close callback comes. The memory is then used again. */
#include "say.h"

static uv_async_t async;

static void on_async(uv_async_t *handle) {
    (void)handle;
    say("  async");
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    say("  closed");
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (int i = 0; i < 3; i++) {
        uv_async_init(&loop, &async, on_async);
        uv_async_send(&async);
        uv_close((uv_handle_t *)&async, on_close);
        say("active %d", uv_is_active((uv_handle_t *)&async));
        say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    }
    uv_async_init(&loop, &async, on_async);
    say("fresh handle, nothing sent, nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    uv_async_send(&async);
    say("sent, nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    say("close %s", code(finish(&loop)));
    return 0;
}
