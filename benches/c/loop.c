/* Iterations of a loop that has only idle and check handles. */
#include "bench.h"

#define HANDLES 64

static uv_idle_t idles[HANDLES];
static int left;

static void on_idle(uv_idle_t* idle) {
  (void) idle;
}

static void on_check(uv_check_t* check) {
  if (--left == 0)
    uv_stop(check->loop);
}

static void measure(const char* name, int handles, int count) {
  uv_loop_t loop;
  uv_check_t check;
  CHECK(uv_loop_init(&loop));
  CHECK(uv_check_init(&loop, &check));
  CHECK(uv_check_start(&check, on_check));
  for (int i = 0; i < handles; i++) {
    CHECK(uv_idle_init(&loop, &idles[i]));
    CHECK(uv_idle_start(&idles[i], on_idle));
  }
  left = count;
  double begin = begin_measuring();
  uv_run(&loop, UV_RUN_DEFAULT);
  result(name, begin, count);
}

int main(void) {
  measure("iteration with 1 idle handle", 1, 500000);
  measure("iteration with 64 idle handles", HANDLES, 200000);
  return 0;
}
