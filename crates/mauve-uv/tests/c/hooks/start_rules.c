/* What start and stop return, and which callback counts. */
#include "say.h"

#define RULES(kind)                                                                              \
    static void first_##kind(uv_##kind##_t *handle) {                                            \
        (void)handle;                                                                            \
        say("  first callback");                                                                 \
    }                                                                                            \
    static void second_##kind(uv_##kind##_t *handle) {                                           \
        (void)handle;                                                                            \
        say("  second callback");                                                                \
    }                                                                                            \
    static void rules_##kind(uv_loop_t *loop) {                                                  \
        uv_##kind##_t handle;                                                                    \
        uv_idle_t awake;                                                                         \
        uv_idle_init(loop, &awake);                                                              \
        uv_idle_start(&awake, quiet);                                                            \
        uv_##kind##_init(loop, &handle);                                                         \
        say(#kind);                                                                              \
        say("stop when inactive %s", code(uv_##kind##_stop(&handle)));                           \
        say("start without callback %s", code(uv_##kind##_start(&handle, NULL)));                \
        say("active %d", uv_is_active((uv_handle_t *)&handle));                                  \
        say("start %s", code(uv_##kind##_start(&handle, first_##kind)));                         \
        say("start when active %s", code(uv_##kind##_start(&handle, second_##kind)));            \
        say("without callback when active %s", code(uv_##kind##_start(&handle, NULL)));          \
        say("active %d", uv_is_active((uv_handle_t *)&handle));                                  \
        uv_run(loop, UV_RUN_NOWAIT);                                                             \
        say("stop %s", code(uv_##kind##_stop(&handle)));                                         \
        say("stop %s", code(uv_##kind##_stop(&handle)));                                         \
        say("start with the second %s", code(uv_##kind##_start(&handle, second_##kind)));        \
        uv_run(loop, UV_RUN_NOWAIT);                                                             \
        uv_close((uv_handle_t *)&handle, NULL);                                                  \
        say("stop when closing %s", code(uv_##kind##_stop(&handle)));                            \
        uv_close((uv_handle_t *)&awake, NULL);                                                   \
        uv_run(loop, UV_RUN_DEFAULT);                                                            \
    }

static void quiet(uv_idle_t *handle) { (void)handle; }

RULES(idle)
RULES(prepare)
RULES(check)

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    rules_idle(&loop);
    rules_prepare(&loop);
    rules_check(&loop);
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
