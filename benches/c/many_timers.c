/* Ten million timers: the cost of init and start, and the memory of a started timer.
 *
 * Most of the cost is page faults. */
#include "bench.h"

enum { COUNT = 10000000, RANGE_MS = 1000000 };

static void on_timer(uv_timer_t* timer) {
  (void) timer;
}

int main(void) {
  uv_loop_t loop;
  unsigned seed = 12345;
  CHECK(uv_loop_init(&loop));
  double before = own_memory();
  uv_timer_t* timers = malloc(sizeof(*timers) * COUNT);
  if (timers == NULL)
    return 1;
  double begin = begin_measuring();
  for (int i = 0; i < COUNT; i++)
    CHECK(uv_timer_init(&loop, &timers[i]));
  for (int i = 0; i < COUNT; i++) {
    seed = seed * 1103515245 + 12345;
    CHECK(uv_timer_start(&timers[i], on_timer, 600000 + (seed >> 8) % RANGE_MS, 0));
  }
  result("timers 10,000,000, init and start", begin, COUNT);
  report("bytes of a timer, 10,000,000 started, struct included", (own_memory() - before) / COUNT,
         -1, -1);
  return 0;
}
