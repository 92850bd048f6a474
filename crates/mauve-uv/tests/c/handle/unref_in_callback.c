/* uv_unref in a callback ends the loop when no referenced handle is active. */
#include "test.h"

static uv_timer_t timer, other;
static int calls;

static void on_timer(uv_timer_t *handle) {
    print("timer %d", ++calls);
    if (calls == 2) {
        uv_unref((uv_handle_t *)handle);
        print("alive %d", uv_loop_alive(handle->loop));
    }
}

static void never(uv_timer_t *handle) {
    (void)handle;
    print("never");
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_init(&loop, &other);
    uv_timer_start(&timer, on_timer, 1, 1);
    uv_timer_start(&other, never, 3600000, 0);
    uv_unref((uv_handle_t *)&other);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("still active %d %d", uv_is_active((uv_handle_t *)&timer),
          uv_is_active((uv_handle_t *)&other));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
