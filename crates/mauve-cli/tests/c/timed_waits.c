/* A callback that waits until a time, in other ways than by sleeping. */
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <uv.h>

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t) time.tv_sec * 1000000000u + (uint64_t) time.tv_nsec;
}

static void on_timer(uv_timer_t* timer) {
  uv_mutex_t mutex;
  uv_cond_t condition;
  uint64_t end = now() + 50000000;
  uv_mutex_init(&mutex);
  uv_cond_init(&condition);
  uv_mutex_lock(&mutex);
  /* As Atomics.wait of V8 does. */
  while (now() < end)
    uv_cond_timedwait(&condition, &mutex, end - now());
  uv_mutex_unlock(&mutex);
  printf("waited for a condition\n");
  end = now() + 20000000;
  while (now() < end)
    poll(NULL, 0, 20);
  printf("polled\n");
  uv_close((uv_handle_t*) timer, NULL);
}

int main(void) {
  uv_timer_t timer;
  uv_timer_init(uv_default_loop(), &timer);
  uv_timer_start(&timer, on_timer, 3600000, 0);
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
