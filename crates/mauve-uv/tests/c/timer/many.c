/* Many timers, some stopped, some restarted: a digest of the order in which they fire. */
#include "say.h"

enum { TIMERS = 3000 };

static uv_timer_t timers[TIMERS];
static uint32_t digest = 2166136261u, state = 12345;
static int calls;

static uint32_t next(uint32_t limit) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static void on_timer(uv_timer_t *timer) {
    digest = (digest ^ (uint32_t)(timer - timers)) * 16777619u;
    calls++;
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (int i = 0; i < TIMERS; i++) {
        uv_timer_init(&loop, &timers[i]);
        uv_timer_start(&timers[i], on_timer, next(200), 0);
    }
    for (int i = 0; i < TIMERS; i++) {
        int which = (int)next(TIMERS);
        if (next(2) == 0) uv_timer_stop(&timers[which]);
        else uv_timer_start(&timers[which], on_timer, next(200), 0);
    }
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("calls %d, digest %08x", calls, digest);
    say("close %s", code(finish(&loop)));
    return 0;
}
