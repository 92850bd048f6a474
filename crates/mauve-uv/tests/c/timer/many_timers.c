/* Many timers, some stopped or restarted: a hash of the order in which they expire. */
#include "test.h"

enum { TIMERS = 3000 };

static uv_timer_t timers[TIMERS];
static uint32_t hash = 2166136261u, state = 12345;
static int calls;

static uint32_t random_below(uint32_t limit) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static void on_timer(uv_timer_t *timer) {
    hash = (hash ^ (uint32_t)(timer - timers)) * 16777619u;
    calls++;
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (int i = 0; i < TIMERS; i++) {
        uv_timer_init(&loop, &timers[i]);
        uv_timer_start(&timers[i], on_timer, random_below(200), 0);
    }
    for (int i = 0; i < TIMERS; i++) {
        int which = (int)random_below(TIMERS);
        if (random_below(2) == 0) uv_timer_stop(&timers[which]);
        else uv_timer_start(&timers[which], on_timer, random_below(200), 0);
    }
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("calls %d, hash %08x", calls, hash);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
