/* Wake-ups between two threads, alone and among many other async handles. */
#include "bench.h"

static uv_loop_t loops[2];
static uv_async_t balls[2];
static int left;

static void on_others(uv_async_t* handle) {
  (void) handle;
}

static void on_ball(uv_async_t* handle) {
  int other = handle == &balls[0];
  if (--left <= 0)
    uv_stop(handle->loop);
  uv_async_send(&balls[other]);
}

static void player(void* loop) {
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
    CHECK(uv_async_init(&loops[0], &handles[i], on_others));
  for (int i = 0; i < 2; i++)
    CHECK(uv_async_init(&loops[i], &balls[i], on_ball));
  left = count;
  double begin = begin_measuring();
  uv_async_send(&balls[0]);
  CHECK(uv_thread_create(&thread, player, &loops[1]));
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
static unsigned long sent_by_all;

static void on_target(uv_async_t* handle) {
  (void) handle;
}

static void sender(void* target) {
  for (int i = 0; i < 50000; i++)
    uv_async_send(target);
  __atomic_add_fetch(&sent_by_all, 1, __ATOMIC_ACQ_REL);
  /* One more, so that the loop looks at the count when all have done their part. */
  uv_async_send(target);
}

/* As many threads as there are senders, each with a handle of its own, all at once. A wake-up may
 * stand for many calls, so what is measured is a call and its share of a wake-up. */
static void crowd(const char* name, int senders) {
  uv_loop_t loop;
  uv_thread_t threads[8];
  sent_by_all = 0;
  CHECK(uv_loop_init(&loop));
  for (int i = 0; i < senders; i++)
    CHECK(uv_async_init(&loop, &targets[i], on_target));
  double begin = begin_measuring();
  for (int i = 0; i < senders; i++)
    CHECK(uv_thread_create(&threads[i], sender, &targets[i]));
  while (__atomic_load_n(&sent_by_all, __ATOMIC_ACQUIRE) < (unsigned long) senders)
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
  crowd("async, 1 sender", 1);
  crowd("async, 8 senders", 8);
  return 0;
}
