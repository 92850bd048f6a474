/* Results of start and stop for idle, prepare and check handles, and which callback is used. */
#include "test.h"

#define RULES(kind)                                                                              \
    static void first_##kind(uv_##kind##_t *handle) {                                            \
        (void)handle;                                                                            \
        print("  first callback");                                                               \
    }                                                                                            \
    static void second_##kind(uv_##kind##_t *handle) {                                           \
        (void)handle;                                                                            \
        print("  second callback");                                                              \
    }                                                                                            \
    static void rules_##kind(uv_loop_t *loop) {                                                  \
        uv_##kind##_t handle;                                                                    \
        uv_idle_t keep_alive;                                                                    \
        uv_idle_init(loop, &keep_alive);                                                         \
        uv_idle_start(&keep_alive, on_keep_alive);                                               \
        uv_##kind##_init(loop, &handle);                                                         \
        print(#kind);                                                                            \
        print("stop when inactive %s", code(uv_##kind##_stop(&handle)));                         \
        print("start without callback %s", code(uv_##kind##_start(&handle, NULL)));              \
        print("active %d", uv_is_active((uv_handle_t *)&handle));                                \
        print("start %s", code(uv_##kind##_start(&handle, first_##kind)));                       \
        print("start when active %s", code(uv_##kind##_start(&handle, second_##kind)));          \
        print("without callback when active %s", code(uv_##kind##_start(&handle, NULL)));        \
        print("active %d", uv_is_active((uv_handle_t *)&handle));                                \
        uv_run(loop, UV_RUN_NOWAIT);                                                             \
        print("stop %s", code(uv_##kind##_stop(&handle)));                                       \
        print("stop %s", code(uv_##kind##_stop(&handle)));                                       \
        print("start with the second %s", code(uv_##kind##_start(&handle, second_##kind)));      \
        uv_run(loop, UV_RUN_NOWAIT);                                                             \
        uv_close((uv_handle_t *)&handle, NULL);                                                  \
        print("stop when closing %s", code(uv_##kind##_stop(&handle)));                          \
        uv_close((uv_handle_t *)&keep_alive, NULL);                                              \
        uv_run(loop, UV_RUN_DEFAULT);                                                            \
    }

static void on_keep_alive(uv_idle_t *handle) { (void)handle; }

RULES(idle)
RULES(prepare)
RULES(check)

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    rules_idle(&loop);
    rules_prepare(&loop);
    rules_check(&loop);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
