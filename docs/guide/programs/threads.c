/* Threads wake the loop. Wake-ups are merged, so the data is in a queue. */
#include <stdio.h>
#include <uv.h>

enum { THREADS = 4, EACH = 1000 };

static uv_async_t async;
static uv_mutex_t mutex;
static int queued, taken, calls;

static void produce(void* arg) {
  (void)arg;
  for (int i = 0; i < EACH; i++) {
    uv_mutex_lock(&mutex);
    queued++;
    uv_mutex_unlock(&mutex);
    uv_async_send(&async);
  }
}

static void on_wakeup(uv_async_t* handle) {
  int found;
  calls++;
  uv_mutex_lock(&mutex);
  found = queued;
  queued = 0;
  uv_mutex_unlock(&mutex);
  taken += found;
  if (taken == THREADS * EACH) uv_close((uv_handle_t*)handle, NULL);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  uv_thread_t threads[THREADS];

  uv_mutex_init(&mutex);
  uv_async_init(loop, &async, on_wakeup);
  for (int i = 0; i < THREADS; i++) uv_thread_create(&threads[i], produce, NULL);
  for (int i = 0; i < THREADS; i++) uv_thread_join(&threads[i]);
  printf("%d sends before the loop runs\n", THREADS * EACH);
  uv_run(loop, UV_RUN_DEFAULT);
  printf("%d callback, %d items\n", calls, taken);
  uv_mutex_destroy(&mutex);
  return uv_loop_close(loop);
}
