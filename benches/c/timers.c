/* A million timers, and ten thousand: start, restart, stop, fire. */
#include "bench.h"

#define RANGE_MS 1000

static unsigned long fired;
static unsigned seed = 12345;

static unsigned next_random(void) {
  seed = seed * 1103515245 + 12345;
  return seed >> 8;
}

static void on_timer(uv_timer_t* timer) {
  (void) timer;
  fired++;
}

static void start_all(uv_timer_t* timers, int count) {
  for (int i = 0; i < count; i++)
    CHECK(uv_timer_start(&timers[i], on_timer, 10 + next_random() % RANGE_MS, 0));
}

typedef struct {
  const char* size;
  int count;
  uv_loop_t loop;
  uv_timer_t* timers;
} crowd;

static void report_action(const crowd* crowd, const char* action, double time, int rounds) {
  char name[64];
  snprintf(name, sizeof(name), "timers %s, %s", crowd->size, action);
  report(name, time / ((double) crowd->count * rounds), -1, -1);
}

/* Start, restart and stop; then all are started again, to fire later. */
static void exercise(crowd* crowd, int rounds) {
  double start = 0, restart = 0, stop = 0, begin;
  int count = crowd->count;
  crowd->timers = malloc(sizeof(*crowd->timers) * count);
  for (int i = 0; i < count; i++)
    CHECK(uv_timer_init(&crowd->loop, &crowd->timers[i]));
  for (int round = 0; round < rounds; round++) {
    begin = cpu_time();
    start_all(crowd->timers, count);
    start += cpu_time() - begin;
    begin = cpu_time();
    start_all(crowd->timers, count);
    restart += cpu_time() - begin;
    begin = cpu_time();
    for (int i = 0; i < count; i++)
      CHECK(uv_timer_stop(&crowd->timers[i]));
    stop += cpu_time() - begin;
  }
  start_all(crowd->timers, count);
  report_action(crowd, "start", start, rounds);
  report_action(crowd, "restart", restart, rounds);
  report_action(crowd, "stop", stop, rounds);
}

/* All of them are due. */
static void fire(crowd* crowd) {
  fired = 0;
  double begin = cpu_time();
  uv_run(&crowd->loop, UV_RUN_NOWAIT);
  double time = cpu_time() - begin;
  if (fired != (unsigned long) crowd->count) {
    fprintf(stderr, "%lu timers fired, not %d\n", fired, crowd->count);
    exit(1);
  }
  report_action(crowd, "fire", time, 1);
}

/* One loop each, so that both can be waited for at once. Timers are due so long after the time that
 * their loop remembers, and that is when it was made: what starting them takes is part of the wait. */
int main(void) {
  static crowd many = {.size = "1,000,000", .count = 1000000};
  static crowd few = {.size = "10,000", .count = 10000};
  CHECK(uv_loop_init(&many.loop));
  CHECK(uv_loop_init(&few.loop));
  double all_due = bench_clock(CLOCK_MONOTONIC) + (RANGE_MS + 20) * 1e6;
  exercise(&many, 1);
  exercise(&few, 10);
  double left = all_due - bench_clock(CLOCK_MONOTONIC);
  if (left > 0)
    uv_sleep(left / 1e6 + 1);
  fire(&few);
  fire(&many);
  return 0;
}
