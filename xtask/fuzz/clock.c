/* Time stands still while a script works, and jumps when a loop waits.
 *
 * This file takes the place of clock_gettime for the libraries; wait.c does so for their waits and
 * moves the clock on. So traces are the same however busy the machine is, and nothing sleeps.
 *
 * Due times of timers are whole cells of a grid, so that those of one cell expire together. */
#include "interp.h"

#include <sys/syscall.h>
#include <time.h>

static _Atomic uint64_t virtual_ns;
static uint64_t base;

static uint64_t now(void) { return uv_hrtime() / 1000000; }

void start_clock(void) {
    struct timespec time;
    syscall_through(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0, 0, 0, 0);
    /* The first cell begins with a whole millisecond. */
    atomic_store(&virtual_ns, (uint64_t)time.tv_sec * 1000000000);
    base = now();
}

void advance(uint64_t ns) { atomic_fetch_add(&virtual_ns, ns); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    uint64_t ns = atomic_load(&virtual_ns);
    bool monotonic =
        clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
    if (!monotonic || ns == 0) {
        return (int)syscall_through(SYS_clock_gettime, clock, (long)time, 0, 0, 0, 0);
    }
    *time = (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    return 0;
}

int cell(void) { return (int)((now() - base) / GRID); }

int cell_of(const uv_loop_t *loop) {
    uint64_t time = uv_now(loop);
    return time < base ? 0 : (int)((time - base) / GRID);
}

/* The timeout of a timer that is due `ticks` cells from now. */
uint64_t until_tick(const uv_loop_t *loop, int ticks) {
    if (ticks == 0) return 0;
    return base + (uint64_t)(cell() + ticks) * GRID - uv_now(loop);
}

void skip_to_next_cell(void) { advance((uint64_t)GRID * 1000000 - uv_hrtime() % (GRID * 1000000)); }
