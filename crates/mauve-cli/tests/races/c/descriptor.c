/* Unhandled faults: uses the result of an open without a check. */
#include <stdlib.h>
#include <uv.h>

static uv_fs_t open_request, read_request, close_request;
static char text[16];

static void on_read(uv_fs_t* request) {
  if (request->result < 0)
    exit(3);
  uv_fs_close(request->loop, &close_request, (uv_file) open_request.result, NULL);
  uv_fs_req_cleanup(request);
}

static void on_open(uv_fs_t* request) {
  uv_buf_t buffer = uv_buf_init(text, sizeof text);
  uv_fs_read(request->loop, &read_request, (uv_file) request->result, &buffer, 1, 0, on_read);
}

int main(void) {
  uv_fs_open(uv_default_loop(), &open_request, "/dev/zero", UV_FS_O_RDONLY, 0, on_open);
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
