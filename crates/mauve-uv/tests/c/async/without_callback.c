/* An async handle without a callback still wakes the loop. */
#include "say.h"

int main(void) {
    uv_loop_t loop;
    uv_async_t async;

    uv_loop_init(&loop);
    say("init %s", code(uv_async_init(&loop, &async, NULL)));
    say("send %s", code(uv_async_send(&async)));
    say("once %d", uv_run(&loop, UV_RUN_ONCE));
    uv_unref((uv_handle_t *)&async);
    uv_async_send(&async);
    say("unreferenced, run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close %s", code(finish(&loop)));
    return 0;
}
