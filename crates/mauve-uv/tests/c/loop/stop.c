/* uv_stop before uv_run, in each phase, and with no active handle. */
#include "test.h"

static uv_loop_t loop;
static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_timer_t closing;
static const char *where;

static void maybe_stop(const char *here) {
    print("  %s", here);
    if (strcmp(here, where) == 0) uv_stop(&loop);
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    maybe_stop("close");
}

static void on_idle(uv_idle_t *handle) {
    (void)handle;
    maybe_stop("idle");
    if (!uv_is_closing((uv_handle_t *)&closing)) uv_close((uv_handle_t *)&closing, on_close);
}

static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    maybe_stop("prepare");
}

static void on_check(uv_check_t *handle) {
    (void)handle;
    maybe_stop("check");
}

int main(void) {
    static const char *phases[] = {"idle", "prepare", "check", "close"};
    uv_timer_t due;

    uv_loop_init(&loop);
    uv_stop(&loop);
    print("stopped and empty: %d", uv_run(&loop, UV_RUN_DEFAULT));

    uv_idle_init(&loop, &idle);
    uv_prepare_init(&loop, &prepare);
    uv_check_init(&loop, &check);
    uv_idle_start(&idle, on_idle);
    uv_prepare_start(&prepare, on_prepare);
    uv_check_start(&check, on_check);
    for (size_t i = 0; i < COUNT(phases); i++) {
        where = phases[i];
        uv_timer_init(&loop, &closing);
        print("stop in %s", where);
        print("  returns %d", uv_run(&loop, UV_RUN_DEFAULT));
    }

    where = "nowhere";
    uv_timer_init(&loop, &due);
    uv_timer_start(&due, (uv_timer_cb)abort, 0, 0);
    for (int mode = UV_RUN_DEFAULT; mode <= UV_RUN_NOWAIT; mode++) {
        uv_stop(&loop);
        uv_stop(&loop);
        print("stopped before, mode %d: %d", mode, uv_run(&loop, mode));
    }
    uv_timer_stop(&due);
    print("the flag is cleared: %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
