/* Order of work: takes for granted that the request which was submitted earlier ends earlier. */
#include <stdlib.h>
#include <uv.h>

static uv_fs_t first, second;
static uv_timer_t timer;
static int has_first;

static void on_first(uv_fs_t* request) {
  has_first = 1;
  uv_fs_req_cleanup(request);
}

static void on_second(uv_fs_t* request) {
  if (!has_first)
    exit(3);
  uv_fs_req_cleanup(request);
}

static void on_timer(uv_timer_t* handle) {
  uv_fs_stat(handle->loop, &second, "/", on_second);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  uv_fs_stat(loop, &first, "/", on_first);
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_timer, 30, 0);
  return uv_run(loop, UV_RUN_DEFAULT);
}
