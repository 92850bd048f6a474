/* Sends before the callback begins are one call; a send in the callback is another. */
#include "say.h"

static int calls;

static void on_async(uv_async_t *async) {
    say("  call %d", ++calls);
    if (calls == 2) {
        for (int i = 0; i < 3; i++) say("  send %s", code(uv_async_send(async)));
    }
}

int main(void) {
    uv_loop_t loop;
    uv_async_t async;

    uv_loop_init(&loop);
    say("init %s", code(uv_async_init(&loop, &async, on_async)));
    say("active %d", uv_is_active((uv_handle_t *)&async));
    say("nothing sent, nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    for (int i = 0; i < 5; i++) say("send %s", code(uv_async_send(&async)));
    say("sent, nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    say("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    uv_async_send(&async);
    for (int i = 0; i < 3; i++) say("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    say("close %s", code(finish(&loop)));
    return 0;
}
