/* What keeps a loop alive: active and referenced handles, requests, and handles that are closing. */
#include <stdio.h>
#include <uv.h>

static void print(uv_loop_t* loop, uv_timer_t* timer, const char* what) {
  printf("%-24s active %d, referenced %d, closing %d: the loop is %s\n", what,
         uv_is_active((uv_handle_t*)timer), uv_has_ref((uv_handle_t*)timer),
         uv_is_closing((uv_handle_t*)timer), uv_loop_alive(loop) ? "alive" : "not alive");
}

static void on_timer(uv_timer_t* timer) { (void)timer; }

static void on_close(uv_handle_t* handle) { print(handle->loop, (uv_timer_t*)handle, "in the close callback"); }

static void work(uv_work_t* req) { (void)req; }

int main(void) {
  uv_loop_t loop;
  uv_timer_t timer;
  uv_work_t req;

  uv_loop_init(&loop);
  uv_timer_init(&loop, &timer);
  print(&loop, &timer, "initialised");
  uv_timer_start(&timer, on_timer, 1000000, 0);
  print(&loop, &timer, "started");
  uv_unref((uv_handle_t*)&timer);
  print(&loop, &timer, "unreferenced");
  printf("uv_run returns %d, without waiting for the timer\n", uv_run(&loop, UV_RUN_DEFAULT));
  uv_queue_work(&loop, &req, work, NULL);
  print(&loop, &timer, "with a request");
  uv_run(&loop, UV_RUN_DEFAULT);
  print(&loop, &timer, "the request is done");
  printf("uv_loop_close: %s\n", uv_err_name(uv_loop_close(&loop)));
  uv_close((uv_handle_t*)&timer, on_close);
  print(&loop, &timer, "uv_close was called");
  uv_run(&loop, UV_RUN_DEFAULT);
  print(&loop, &timer, "after the last run");
  printf("uv_loop_close: %d\n", uv_loop_close(&loop));
  return 0;
}
