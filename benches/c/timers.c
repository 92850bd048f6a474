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

/* The timers of one loop, and the CPU time of each action on all of them. */
typedef struct {
  const char* size;
  int count;
  int passes;
  uv_loop_t loop;
  uv_timer_t* timers;
  double start, restart, stop, fire;
} timer_set;

/* Measures start, restart and stop. Leaves all timers started. */
static void measure_actions(timer_set* set) {
  int count = set->count;
  set->timers = malloc(sizeof(*set->timers) * count);
  for (int i = 0; i < count; i++)
    CHECK(uv_timer_init(&set->loop, &set->timers[i]));
  for (int pass = 0; pass < set->passes; pass++) {
    double begin = cpu_time();
    start_all(set->timers, count);
    double started = cpu_time();
    start_all(set->timers, count);
    double restarted = cpu_time();
    for (int i = 0; i < count; i++)
      CHECK(uv_timer_stop(&set->timers[i]));
    set->stop += cpu_time() - restarted;
    set->restart += restarted - started;
    set->start += started - begin;
  }
  start_all(set->timers, count);
}

/* Fires all timers, which are due. */
static void measure_fire(timer_set* set) {
  fired = 0;
  double begin = cpu_time();
  uv_run(&set->loop, UV_RUN_NOWAIT);
  set->fire = cpu_time() - begin;
  if (fired != (unsigned long) set->count) {
    fprintf(stderr, "%lu timers fired, not %d\n", fired, set->count);
    exit(1);
  }
}

static void print_results(const timer_set* set) {
  const char* actions[] = {"start", "restart", "stop", "fire"};
  double passes = set->passes;
  double times[] = {set->start / passes, set->restart / passes, set->stop / passes,
                    set->fire};
  for (int i = 0; i < 4; i++) {
    char name[64];
    snprintf(name, sizeof(name), "timers %s, %s", set->size, actions[i]);
    report(name, times[i] / set->count, -1, -1);
  }
}

/* Each set has its own loop, so that one wait is enough for both. Timeouts count from the loop's
 * cached time, which is that of its creation. */
int main(void) {
  static timer_set many = {.size = "1,000,000", .count = 1000000, .passes = 1};
  static timer_set few = {.size = "10,000", .count = 10000, .passes = 10};
  CHECK(uv_loop_init(&many.loop));
  CHECK(uv_loop_init(&few.loop));
  double all_due = bench_clock(CLOCK_MONOTONIC) + (RANGE_MS + 20) * 1e6;
  measure_actions(&many);
  measure_actions(&few);
  double left = all_due - bench_clock(CLOCK_MONOTONIC);
  if (left > 0)
    uv_sleep(left / 1e6 + 1);
  measure_fire(&few);
  measure_fire(&many);
  print_results(&many);
  print_results(&few);
  return 0;
}
