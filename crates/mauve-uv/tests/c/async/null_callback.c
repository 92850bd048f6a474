/* An async handle with a null callback wakes the loop. */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_async_t async;

    uv_loop_init(&loop);
    print("init %s", code(uv_async_init(&loop, &async, NULL)));
    print("send %s", code(uv_async_send(&async)));
    print("once %d", uv_run(&loop, UV_RUN_ONCE));
    uv_unref((uv_handle_t *)&async);
    uv_async_send(&async);
    print("unreferenced, run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
