/* Idle, prepare and check handles are called once per iteration, last started first. */
#include "test.h"

#define EACH 4
#define KIND(kind)                                                                               \
    static uv_##kind##_t kind[EACH];                                                             \
    static void on_##kind(uv_##kind##_t *handle) { print("  " #kind " %d", (int)(handle - kind)); }

KIND(idle)
KIND(prepare)
KIND(check)

#define SET_UP(kind)                                                                             \
    for (int i = 0; i < EACH; i++) {                                                             \
        uv_##kind##_init(&loop, &kind[i]);                                                       \
        uv_##kind##_start(&kind[i], on_##kind);                                                  \
    }

/* A handle that is stopped and started moves to the front. Starting an active one has no effect. */
#define REORDER(kind)                                                                            \
    uv_##kind##_stop(&kind[1]);                                                                  \
    uv_##kind##_start(&kind[1], on_##kind);                                                      \
    uv_##kind##_start(&kind[0], on_##kind);                                                      \
    uv_##kind##_stop(&kind[2]);

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    SET_UP(check)
    SET_UP(prepare)
    SET_UP(idle)
    for (int i = 0; i < 2; i++) print("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    REORDER(check)
    REORDER(prepare)
    REORDER(idle)
    for (int i = 0; i < 2; i++) print("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
