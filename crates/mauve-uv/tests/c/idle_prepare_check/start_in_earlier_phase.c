/* An idle or prepare callback starts handles of a later phase: they run in the same iteration. */
#include "test.h"

static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static int iterations;

static void on_check(uv_check_t *handle) {
    (void)handle;
    print("  check");
    if (!uv_is_active((uv_handle_t *)&prepare)) return;
    uv_prepare_stop(&prepare);
    uv_check_stop(handle);
}

static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    print("  prepare");
    uv_check_start(&check, on_check);
}

static void on_idle(uv_idle_t *handle) {
    print("iteration %d", ++iterations);
    print("  idle");
    if (iterations == 2) uv_prepare_start(&prepare, on_prepare);
    if (iterations == 4) uv_idle_stop(handle);
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    uv_idle_init(&loop, &idle);
    uv_prepare_init(&loop, &prepare);
    uv_check_init(&loop, &check);
    uv_idle_start(&idle, on_idle);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
