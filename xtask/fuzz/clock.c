/* Time as a grid of cells, each GRID milliseconds long, from the start of the program on.
 *
 * A script's work takes far less than a cell, and a loop moves on to the next one only by waiting
 * for a timer. So which cell it is, is the same in every run. */
#include "interp.h"

#include <time.h>

static uint64_t base;

static uint64_t now(void) { return uv_hrtime() / 1000000; }

void start_clock(void) { base = now(); }

int cell(void) { return (int)((now() - base) / GRID); }

int cell_of(const uv_loop_t *loop) {
    uint64_t time = uv_now(loop);
    return time < base ? 0 : (int)((time - base) / GRID);
}

/* The timeout of a timer that is due `ticks` grid points from now. */
uint64_t until_tick(const uv_loop_t *loop, int ticks) {
    if (ticks == 0) return 0;
    return base + (uint64_t)(cell() + ticks) * GRID - uv_now(loop);
}

void sleep_until_next_cell(void) {
    uint64_t until = (base + (uint64_t)(cell() + 1) * GRID) * 1000000;
    /* One millisecond more, for the libraries' rounding. */
    until += 1000000;
    for (uint64_t time; (time = uv_hrtime()) < until;) {
        struct timespec rest = {.tv_nsec = (long)(until - time)};
        nanosleep(&rest, NULL);
    }
}
