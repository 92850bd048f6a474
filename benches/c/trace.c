/* Iterations with 64 idle handles: almost all of their cost with a trace is that of the records. */
#include "bench.h"

#define HANDLES 64
#define ITERATIONS 20000

static uv_idle_t idles[HANDLES];
static int left = ITERATIONS;

static void on_idle(uv_idle_t* idle) {
  if (idle == idles && --left == 0)
    uv_stop(idle->loop);
}

int main(void) {
  uv_loop_t loop;
  CHECK(uv_loop_init(&loop));
  for (int i = 0; i < HANDLES; i++) {
    CHECK(uv_idle_init(&loop, &idles[i]));
    CHECK(uv_idle_start(&idles[i], on_idle));
  }
  double begin = begin_measuring();
  uv_run(&loop, UV_RUN_DEFAULT);
  result("iteration with 64 idle handles", begin, ITERATIONS);
  return 0;
}
