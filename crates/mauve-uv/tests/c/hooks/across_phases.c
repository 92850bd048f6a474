/* A hook starts hooks of other phases: the ones still to come run in the same iteration. */
#include "say.h"

static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static int iterations;

static void on_check(uv_check_t *handle) {
    (void)handle;
    say("  check");
    if (!uv_is_active((uv_handle_t *)&prepare)) return;
    uv_prepare_stop(&prepare);
    uv_check_stop(handle);
}

static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    say("  prepare");
    uv_check_start(&check, on_check);
}

static void on_idle(uv_idle_t *handle) {
    say("iteration %d", ++iterations);
    say("  idle");
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
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close %s", code(finish(&loop)));
    return 0;
}
