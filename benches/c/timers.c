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

/* Timers of one loop, and the CPU time that each action took them all. */
typedef struct {
  const char* size;
  int count;
  int rounds;
  uv_loop_t loop;
  uv_timer_t* timers;
  double start, restart, stop, fire;
} crowd;

/* Start, restart and stop; then all are started again, to fire later. */
static void exercise(crowd* crowd) {
  int count = crowd->count;
  crowd->timers = malloc(sizeof(*crowd->timers) * count);
  for (int i = 0; i < count; i++)
    CHECK(uv_timer_init(&crowd->loop, &crowd->timers[i]));
  for (int round = 0; round < crowd->rounds; round++) {
    double begin = cpu_time();
    start_all(crowd->timers, count);
    double started = cpu_time();
    start_all(crowd->timers, count);
    double restarted = cpu_time();
    for (int i = 0; i < count; i++)
      CHECK(uv_timer_stop(&crowd->timers[i]));
    crowd->stop += cpu_time() - restarted;
    crowd->restart += restarted - started;
    crowd->start += started - begin;
  }
  start_all(crowd->timers, count);
}

/* All of them are due. */
static void fire(crowd* crowd) {
  fired = 0;
  double begin = cpu_time();
  uv_run(&crowd->loop, UV_RUN_NOWAIT);
  crowd->fire = cpu_time() - begin;
  if (fired != (unsigned long) crowd->count) {
    fprintf(stderr, "%lu timers fired, not %d\n", fired, crowd->count);
    exit(1);
  }
}

static void tell(const crowd* crowd) {
  const char* actions[] = {"start", "restart", "stop", "fire"};
  double rounds = crowd->rounds;
  double times[] = {crowd->start / rounds, crowd->restart / rounds, crowd->stop / rounds,
                    crowd->fire};
  for (int i = 0; i < 4; i++) {
    char name[64];
    snprintf(name, sizeof(name), "timers %s, %s", crowd->size, actions[i]);
    report(name, times[i] / crowd->count, -1, -1);
  }
}

/* One loop each, so that both can be waited for at once. Timers are due so long after the time that
 * their loop remembers, and that is when it was made: what starting them takes is part of the wait. */
int main(void) {
  static crowd many = {.size = "1,000,000", .count = 1000000, .rounds = 1};
  static crowd few = {.size = "10,000", .count = 10000, .rounds = 10};
  CHECK(uv_loop_init(&many.loop));
  CHECK(uv_loop_init(&few.loop));
  double all_due = bench_clock(CLOCK_MONOTONIC) + (RANGE_MS + 20) * 1e6;
  exercise(&many);
  exercise(&few);
  double left = all_due - bench_clock(CLOCK_MONOTONIC);
  if (left > 0)
    uv_sleep(left / 1e6 + 1);
  fire(&few);
  fire(&many);
  tell(&many);
  tell(&few);
  return 0;
}
