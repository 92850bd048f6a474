/* Polls a pipe. A callback that leaves data behind is called again. */
#include <stdio.h>
#include <unistd.h>
#include <uv.h>

static uv_file fds[2];

static void on_readable(uv_poll_t* poll, int status, int events) {
  char byte;
  ssize_t count = read(fds[0], &byte, 1);

  if (status == 0 && (events & UV_READABLE) && count == 1) {
    printf("readable: one byte, %c\n", byte);
    if (byte == 'c') close(fds[1]);
    return;
  }
  printf("readable: the end, read returns %d\n", (int)count);
  uv_poll_stop(poll);
  close(fds[0]);
  uv_close((uv_handle_t*)poll, NULL);
}

int main(void) {
  uv_poll_t poll;

  uv_pipe(fds, UV_NONBLOCK_PIPE, 0);
  if (write(fds[1], "abc", 3) != 3) return 1;
  uv_poll_init(uv_default_loop(), &poll, fds[0]);
  uv_poll_start(&poll, UV_READABLE, on_readable);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  return uv_loop_close(uv_default_loop());
}
