/* Wake-ups from threads on other cores: threads that send continuously, and two loops that wake
 * each other. With BENCH_CORES=2 the measured loop runs on the first core and the senders on the
 * second. */
#include "bench.h"

enum { MAX_SENDERS = 4 };

static uv_async_t target;
static int left;
static int done;

static void on_target(uv_async_t* handle) {
  if (--left == 0) {
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    uv_close((uv_handle_t*) handle, NULL);
  }
}

static void sender(void* arg) {
  (void) arg;
  pin_to(1);
  while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
    uv_async_send(&target);
}

/* An operation is one callback. Sends are merged, so a callback may stand for many. */
static void pummel(const char* name, int senders, int count) {
  uv_loop_t loop;
  uv_thread_t threads[MAX_SENDERS];
  CHECK(uv_loop_init(&loop));
  CHECK(uv_async_init(&loop, &target, on_target));
  left = count;
  done = 0;
  double begin = begin_measuring();
  for (int i = 0; i < senders; i++)
    CHECK(uv_thread_create(&threads[i], sender, NULL));
  uv_run(&loop, UV_RUN_DEFAULT);
  for (int i = 0; i < senders; i++)
    uv_thread_join(&threads[i]);
  result(name, begin, count);
  CHECK(uv_loop_close(&loop));
}

static uv_loop_t loops[2];
static uv_async_t wakeups[2];

static void on_wakeup(uv_async_t* handle) {
  int other = handle == &wakeups[0];
  if (--left <= 0)
    uv_stop(handle->loop);
  uv_async_send(&wakeups[other]);
}

static void run_loop(void* loop) {
  pin_to(1);
  uv_run(loop, UV_RUN_DEFAULT);
}

static void ping_pong(const char* name, int count) {
  uv_thread_t thread;
  for (int i = 0; i < 2; i++) {
    CHECK(uv_loop_init(&loops[i]));
    CHECK(uv_async_init(&loops[i], &wakeups[i], on_wakeup));
  }
  left = count;
  double begin = begin_measuring();
  uv_async_send(&wakeups[0]);
  CHECK(uv_thread_create(&thread, run_loop, &loops[1]));
  uv_run(&loops[0], UV_RUN_DEFAULT);
  uv_thread_join(&thread);
  result(name, begin, count);
  for (int i = 0; i < 2; i++) {
    uv_close((uv_handle_t*) &wakeups[i], NULL);
    uv_run(&loops[i], UV_RUN_DEFAULT);
    CHECK(uv_loop_close(&loops[i]));
  }
}

int main(void) {
  pin_to(0);
  pummel("async pummel, 1 sender", 1, 40000);
  pummel("async pummel, 2 senders", 2, 40000);
  pummel("async pummel, 4 senders", 4, 40000);
  ping_pong("async ping-pong across cores", 20000);
  return 0;
}
