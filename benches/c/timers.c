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

static void measure(const char* size, int count, int rounds) {
  uv_loop_t loop;
  char name[64];
  double start = 0, restart = 0, stop = 0, fire = 0, begin;
  uv_timer_t* timers = malloc(sizeof(*timers) * count);

  CHECK(uv_loop_init(&loop));
  for (int i = 0; i < count; i++)
    CHECK(uv_timer_init(&loop, &timers[i]));
  for (int round = 0; round < rounds; round++) {
    begin = cpu_time();
    start_all(timers, count);
    start += cpu_time() - begin;
    begin = cpu_time();
    start_all(timers, count);
    restart += cpu_time() - begin;
    begin = cpu_time();
    for (int i = 0; i < count; i++)
      CHECK(uv_timer_stop(&timers[i]));
    stop += cpu_time() - begin;
  }
  start_all(timers, count);
  uv_sleep(RANGE_MS + 20);
  begin = cpu_time();
  uv_run(&loop, UV_RUN_NOWAIT);
  fire = (cpu_time() - begin) * rounds;
  if (fired != (unsigned long) count) {
    fprintf(stderr, "%lu timers fired, not %d\n", fired, count);
    exit(1);
  }
  fired = 0;
  const char* names[] = {"start", "restart", "stop", "fire"};
  double times[] = {start, restart, stop, fire};
  for (int i = 0; i < 4; i++) {
    snprintf(name, sizeof(name), "timers %s, %s", size, names[i]);
    report(name, times[i] / ((double) count * rounds), -1, -1);
  }
  free(timers);
}

int main(void) {
  measure("1,000,000", 1000000, 1);
  measure("10,000", 10000, 10);
  return 0;
}
