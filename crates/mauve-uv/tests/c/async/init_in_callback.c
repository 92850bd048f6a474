/* An async handle that is initialised and notified in the callback of another. */
#include "test.h"

static uv_async_t first, second;

static void on_second(uv_async_t *async) {
    print("  second");
    uv_close((uv_handle_t *)async, NULL);
}

static void on_first(uv_async_t *async) {
    print("  first");
    uv_async_init(async->loop, &second, on_second);
    uv_async_send(&second);
    uv_close((uv_handle_t *)async, NULL);
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    uv_async_init(&loop, &first, on_first);
    uv_async_send(&first);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
