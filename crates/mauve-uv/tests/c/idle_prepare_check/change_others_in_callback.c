/* An idle, prepare or check callback stops, starts, restarts and closes handles of its kind. */
#include "test.h"

#define EACH 6

/* Handle 5 is called first, because it was started last, and changes the others. */
#define KIND(kind)                                                                               \
    static uv_##kind##_t kind[EACH], late_##kind;                                                \
    static int done_##kind;                                                                      \
    static void closed_##kind(uv_handle_t *handle) {                                             \
        print("  closed " #kind " %d", (int)((uv_##kind##_t *)handle - kind));                   \
    }                                                                                            \
    static void on_late_##kind(uv_##kind##_t *handle) {                                          \
        (void)handle;                                                                            \
        print("  " #kind " late");                                                               \
    }                                                                                            \
    static void on_##kind(uv_##kind##_t *handle) {                                               \
        print("  " #kind " %d", (int)(handle - kind));                                           \
        if (handle != &kind[EACH - 1] || done_##kind++) return;                                  \
        uv_##kind##_stop(&kind[4]);                                                              \
        uv_##kind##_stop(&kind[3]);                                                              \
        uv_##kind##_start(&kind[3], on_##kind);                                                  \
        uv_close((uv_handle_t *)&kind[2], closed_##kind);                                        \
        uv_##kind##_start(&late_##kind, on_late_##kind);                                         \
        uv_##kind##_stop(handle);                                                                \
        uv_##kind##_start(handle, on_##kind);                                                    \
        uv_##kind##_stop(&kind[0]);                                                              \
    }                                                                                            \
    static void set_up_##kind(uv_loop_t *loop) {                                                 \
        uv_##kind##_init(loop, &late_##kind);                                                    \
        for (int i = 0; i < EACH; i++) {                                                         \
            uv_##kind##_init(loop, &kind[i]);                                                    \
            uv_##kind##_start(&kind[i], on_##kind);                                              \
        }                                                                                        \
    }

KIND(idle)
KIND(prepare)
KIND(check)

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    set_up_idle(&loop);
    set_up_prepare(&loop);
    set_up_check(&loop);
    for (int i = 0; i < 3; i++) print("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
