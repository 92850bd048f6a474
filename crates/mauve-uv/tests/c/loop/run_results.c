/* Results of uv_run in every mode, for empty, active, stopped and closing loops. */
#include "test.h"

static uv_loop_t loop;

static const uv_run_mode modes[] = {UV_RUN_DEFAULT, UV_RUN_ONCE, UV_RUN_NOWAIT};
static const char *names[] = {"default", "once", "nowait"};

static void on_idle(uv_idle_t *idle) {
    print("  idle");
    if (idle->data != NULL) uv_stop(idle->loop);
}

static void on_idle_once(uv_idle_t *idle) {
    print("  idle, stops itself");
    uv_idle_stop(idle);
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    print("  closed");
}

int main(void) {
    uv_idle_t idle;
    uv_timer_t timer;

    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(modes); i++)
        print("empty, %s: %d", names[i], uv_run(&loop, modes[i]));

    uv_timer_init(&loop, &timer);
    for (size_t i = 0; i < COUNT(modes); i++)
        print("inactive handle, %s: %d", names[i], uv_run(&loop, modes[i]));

    uv_idle_init(&loop, &idle);
    idle.data = &loop;
    uv_idle_start(&idle, on_idle);
    for (size_t i = 0; i < COUNT(modes); i++)
        print("stopped from idle, %s: %d", names[i], uv_run(&loop, modes[i]));

    idle.data = NULL;
    for (size_t i = 1; i < COUNT(modes); i++)
        print("idle, %s: %d", names[i], uv_run(&loop, modes[i]));

    for (size_t i = 0; i < COUNT(modes); i++) {
        uv_idle_stop(&idle);
        uv_idle_start(&idle, on_idle_once);
        print("idle that stops itself, %s: %d", names[i], uv_run(&loop, modes[i]));
    }

    uv_unref((uv_handle_t *)&idle);
    uv_idle_start(&idle, on_idle);
    for (size_t i = 0; i < COUNT(modes); i++)
        print("unreferenced idle, %s: %d", names[i], uv_run(&loop, modes[i]));

    uv_close((uv_handle_t *)&idle, on_close);
    print("closing, nowait: %d", uv_run(&loop, UV_RUN_NOWAIT));
    uv_close((uv_handle_t *)&timer, on_close);
    print("closing, once: %d", uv_run(&loop, UV_RUN_ONCE));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
