/* Partial writes: takes for granted that uv_try_write takes everything. */
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  uv_os_sock_t ends[2];
  uv_tcp_t sender;
  uv_buf_t buffer = uv_buf_init("a short message", 15);
  int written;
  if (uv_socketpair(SOCK_STREAM, 0, ends, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE) != 0)
    return 1;
  uv_tcp_init(loop, &sender);
  uv_tcp_open(&sender, ends[0]);
  written = uv_try_write((uv_stream_t*) &sender, &buffer, 1);
  uv_close((uv_handle_t*) &sender, NULL);
  uv_run(loop, UV_RUN_DEFAULT);
  close(ends[1]);
  return written == 15 ? 0 : 3;
}
