/* Empty work on the pool, with `depth` requests in flight. */
#include "bench.h"

static int left;

static void on_work(uv_work_t* work) {
  (void) work;
}

static void on_done(uv_work_t* work, int status) {
  (void) status;
  if (left-- > 0)
    CHECK(uv_queue_work(work->loop, work, on_work, on_done));
}

static void measure(const char* name, int depth, int count) {
  uv_loop_t* loop = uv_default_loop();
  uv_work_t* requests = malloc(sizeof(*requests) * depth);
  double begin = begin_measuring();
  left = count - depth;
  for (int i = 0; i < depth; i++)
    CHECK(uv_queue_work(loop, &requests[i], on_work, on_done));
  uv_run(loop, UV_RUN_DEFAULT);
  result(name, begin, count);
  free(requests);
}

int main(void) {
  measure("(warm-up)", 4, 1000);
  measure("queue_work, depth 1", 1, 25000);
  measure("queue_work, depth 32", 32, 100000);
  measure("queue_work, depth 1,000", 1000, 300000);
  return 0;
}
