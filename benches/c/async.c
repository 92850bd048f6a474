/* Wake-ups between two threads, alone and among many other async handles. */
#include "bench.h"

static uv_loop_t loops[2];
static uv_async_t wakeups[2];
static int left;

static void on_idle_async(uv_async_t* handle) {
  (void) handle;
}

static void on_wakeup(uv_async_t* handle) {
  int other = handle == &wakeups[0];
  if (--left <= 0)
    uv_stop(handle->loop);
  uv_async_send(&wakeups[other]);
}

static void run_loop(void* loop) {
  uv_run(loop, UV_RUN_DEFAULT);
}

static void on_walk(uv_handle_t* handle, void* arg) {
  (void) arg;
  uv_close(handle, NULL);
}

static void measure(const char* name, int others, int count) {
  uv_thread_t thread;
  uv_async_t* handles = malloc(sizeof(*handles) * (others + 1));
  for (int i = 0; i < 2; i++)
    CHECK(uv_loop_init(&loops[i]));
  for (int i = 0; i < others; i++)
    CHECK(uv_async_init(&loops[0], &handles[i], on_idle_async));
  for (int i = 0; i < 2; i++)
    CHECK(uv_async_init(&loops[i], &wakeups[i], on_wakeup));
  left = count;
  double begin = begin_measuring();
  uv_async_send(&wakeups[0]);
  CHECK(uv_thread_create(&thread, run_loop, &loops[1]));
  uv_run(&loops[0], UV_RUN_DEFAULT);
  uv_thread_join(&thread);
  result(name, begin, count);
  for (int i = 0; i < 2; i++) {
    uv_walk(&loops[i], on_walk, NULL);
    uv_run(&loops[i], UV_RUN_DEFAULT);
    CHECK(uv_loop_close(&loops[i]));
  }
  free(handles);
}

static uv_async_t targets[8];
static unsigned long finished_senders;

static void on_target(uv_async_t* handle) {
  (void) handle;
}

static void sender(void* target) {
  for (int i = 0; i < 50000; i++)
    uv_async_send(target);
  __atomic_add_fetch(&finished_senders, 1, __ATOMIC_ACQ_REL);
  /* One more send, so that the loop checks the count again. */
  uv_async_send(target);
}

/* Several threads send concurrently, each to its own handle. Sends are merged, so the figure is
 * the cost of a send and its share of a wake-up. */
static void measure_senders(const char* name, int senders) {
  uv_loop_t loop;
  uv_thread_t threads[8];
  finished_senders = 0;
  CHECK(uv_loop_init(&loop));
  for (int i = 0; i < senders; i++)
    CHECK(uv_async_init(&loop, &targets[i], on_target));
  double begin = begin_measuring();
  for (int i = 0; i < senders; i++)
    CHECK(uv_thread_create(&threads[i], sender, &targets[i]));
  while (__atomic_load_n(&finished_senders, __ATOMIC_ACQUIRE) < (unsigned long) senders)
    uv_run(&loop, UV_RUN_ONCE);
  for (int i = 0; i < senders; i++)
    uv_thread_join(&threads[i]);
  result(name, begin, 50000.0 * senders);
  uv_walk(&loop, on_walk, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  CHECK(uv_loop_close(&loop));
}

int main(void) {
  measure("async ping-pong", 0, 50000);
  measure("async ping-pong among 1,000", 1000, 25000);
  measure("async ping-pong among 100,000", 100000, 500);
  measure("async ping-pong among 1,000,000", 1000000, 60);
  measure_senders("async, 1 sender", 1);
  measure_senders("async, 8 senders", 8);
  return 0;
}
