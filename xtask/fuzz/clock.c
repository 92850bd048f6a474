/* A virtual clock. It advances only when a loop waits.
 *
 * This file replaces clock_gettime for the libraries. wait.c replaces their waits and advances the
 * clock. So traces do not depend on other load, and nothing sleeps.
 *
 * Due times of timers are whole ticks, so that all timers of a tick expire together. */
#include "interp.h"

#include <sys/syscall.h>
#include <time.h>

static _Atomic uint64_t virtual_ns;
/* The clock of a lane, or 0. */
static _Thread_local uint64_t lane_ns;
static uint64_t base;

static uint64_t now(void) { return uv_hrtime() / 1000000; }

void start_clock(void) {
    struct timespec time;
    syscall_through(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0, 0, 0, 0);
    /* The first tick starts with a whole millisecond. */
    atomic_store(&virtual_ns, (uint64_t)time.tv_sec * 1000000000);
    base = now();
}

void advance(uint64_t ns) {
    if (lane_ns) {
        lane_ns += ns;
    } else {
        atomic_fetch_add(&virtual_ns, ns);
    }
}

void begin_clock(void) { lane_ns = atomic_load(&virtual_ns); }

uint64_t end_clock(void) {
    uint64_t ns = lane_ns;
    lane_ns = 0;
    return ns;
}

void set_clock(uint64_t ns) { atomic_store(&virtual_ns, ns); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    uint64_t ns = lane_ns ? lane_ns : atomic_load(&virtual_ns);
    bool monotonic =
        clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
    if (!monotonic || ns == 0) {
        return (int)syscall_through(SYS_clock_gettime, clock, (long)time, 0, 0, 0, 0);
    }
    *time = (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    return 0;
}

int current_tick(void) { return (int)((now() - base) / TICK_MS); }

int tick_of(const uv_loop_t *loop) {
    uint64_t time = uv_now(loop);
    return time < base ? 0 : (int)((time - base) / TICK_MS);
}

/* The timeout of a timer that is due `ticks` ticks from now. */
uint64_t timeout_of(const uv_loop_t *loop, int ticks) {
    if (ticks == 0) return 0;
    return base + (uint64_t)(current_tick() + ticks) * TICK_MS - uv_now(loop);
}

void skip_to_next_tick(void) { advance((uint64_t)TICK_MS * 1000000 - uv_hrtime() % (TICK_MS * 1000000)); }
