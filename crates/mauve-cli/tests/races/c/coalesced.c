/* Coalesced wake-ups: counts callbacks of an async handle instead of what was sent. */
#include <stdlib.h>
#include <uv.h>

static uv_async_t async;
static uv_timer_t timer;
static int sent, received;

static void on_async(uv_async_t* handle) {
  (void) handle;
  received++;
}

static void on_timer(uv_timer_t* handle) {
  if (sent == 3) {
    if (received != sent)
      exit(3);
    uv_close((uv_handle_t*) handle, NULL);
    uv_close((uv_handle_t*) &async, NULL);
    return;
  }
  sent++;
  uv_async_send(&async);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  uv_async_init(loop, &async, on_async);
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_timer, 10, 10);
  return uv_run(loop, UV_RUN_DEFAULT);
}
