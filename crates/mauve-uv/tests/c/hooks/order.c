/* Hooks of each kind are called the latest started first, once per iteration. */
#include "say.h"

#define EACH 4
#define KIND(kind)                                                                               \
    static uv_##kind##_t kind[EACH];                                                             \
    static void on_##kind(uv_##kind##_t *handle) { say("  " #kind " %d", (int)(handle - kind)); }

KIND(idle)
KIND(prepare)
KIND(check)

#define SET_UP(kind)                                                                             \
    for (int i = 0; i < EACH; i++) {                                                             \
        uv_##kind##_init(&loop, &kind[i]);                                                       \
        uv_##kind##_start(&kind[i], on_##kind);                                                  \
    }

/* Started again after a stop, a hook is the latest; started while active, it stays in place. */
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
    for (int i = 0; i < 2; i++) say("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    REORDER(check)
    REORDER(prepare)
    REORDER(idle)
    for (int i = 0; i < 2; i++) say("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    say("close %s", code(finish(&loop)));
    return 0;
}
