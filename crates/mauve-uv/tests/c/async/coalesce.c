/* Sends before the callback starts are coalesced into one call; a send in the callback causes
 * another. */
#include "test.h"

static int calls;

static void on_async(uv_async_t *async) {
    print("  call %d", ++calls);
    if (calls == 2) {
        for (int i = 0; i < 3; i++) print("  send %s", code(uv_async_send(async)));
    }
}

int main(void) {
    uv_loop_t loop;
    uv_async_t async;

    uv_loop_init(&loop);
    print("init %s", code(uv_async_init(&loop, &async, on_async)));
    print("active %d", uv_is_active((uv_handle_t *)&async));
    print("nothing sent, nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    for (int i = 0; i < 5; i++) print("send %s", code(uv_async_send(&async)));
    print("sent, nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    uv_async_send(&async);
    for (int i = 0; i < 3; i++) print("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
