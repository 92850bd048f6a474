/* The order of timers: by due time, then by start. */
#include <stdio.h>
#include <uv.h>

static uv_timer_t timers[4];

static void on_timer(uv_timer_t* timer) {
  printf("%s\n", (const char*)timer->data);
  uv_close((uv_handle_t*)timer, NULL);
}

static void start(int at, const char* name, uint64_t timeout) {
  uv_timer_init(uv_default_loop(), &timers[at]);
  timers[at].data = (void*)name;
  uv_timer_start(&timers[at], on_timer, timeout, 0);
}

int main(void) {
  start(0, "20 ms", 20);
  start(1, "10 ms, started first", 10);
  start(2, "10 ms, started second", 10);
  start(3, "0 ms", 0);
  printf("all timers are started\n");
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  return uv_loop_close(uv_default_loop());
}
