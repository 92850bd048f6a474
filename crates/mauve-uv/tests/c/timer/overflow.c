/* Timeouts that overflow are clamped: they do not expire early. */
#include "test.h"

static uv_timer_t huge, huge_repeat, near;

static void never(uv_timer_t *timer) {
    (void)timer;
    print("never");
    exit(1);
}

static void on_repeat(uv_timer_t *timer) {
    print("huge repeat: active %d, far away %d", uv_is_active((uv_handle_t *)timer),
          uv_timer_get_due_in(timer) > UINT64_MAX / 2);
    uv_close((uv_handle_t *)timer, NULL);
    uv_close((uv_handle_t *)&near, NULL);
}

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    uv_timer_start(&huge_repeat, on_repeat, 1, UINT64_MAX - 1);
    print("near timer; huge ones active %d %d", uv_is_active((uv_handle_t *)&huge),
          uv_is_active((uv_handle_t *)&huge_repeat));
    uv_close((uv_handle_t *)&huge, NULL);
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &huge);
    uv_timer_init(&loop, &huge_repeat);
    uv_timer_init(&loop, &near);
    uv_timer_start(&huge, never, UINT64_MAX, UINT64_MAX);
    print("far away %d", uv_timer_get_due_in(&huge) > UINT64_MAX / 2);
    uv_timer_start(&near, on_timer, 5, 0);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
