/* Timer against I/O: takes for granted that a file is read within 40 ms. */
#include <stdlib.h>
#include <uv.h>

static uv_fs_t open_request, close_request;
static uv_timer_t timer;
static int is_open;

static void on_open(uv_fs_t* request) {
  is_open = 1;
  uv_fs_close(request->loop, &close_request, (uv_file) request->result, NULL);
  uv_fs_req_cleanup(request);
}

static void on_timer(uv_timer_t* handle) {
  (void) handle;
  if (!is_open)
    exit(3);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_timer, 40, 0);
  uv_fs_open(loop, &open_request, "/dev/null", UV_FS_O_RDONLY, 0, on_open);
  return uv_run(loop, UV_RUN_DEFAULT);
}
