/* Chunk boundaries: takes the first read for a whole message. */
#include <stdlib.h>
#include <string.h>
#include <uv.h>

static const char message[] = "length=5;hello";
static uv_pipe_t sender, receiver;
static uv_write_t request;

static void allocate(uv_handle_t* handle, size_t size, uv_buf_t* buffer) {
  static char memory[256];
  (void) handle, (void) size;
  *buffer = uv_buf_init(memory, sizeof memory);
}

static void on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
  if (count <= 0)
    return;
  if ((size_t) count < strlen(message) || memcmp(buffer->base, message, strlen(message)) != 0)
    exit(3);
  uv_close((uv_handle_t*) stream, NULL);
  uv_close((uv_handle_t*) &sender, NULL);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  uv_file ends[2];
  uv_buf_t buffer = uv_buf_init((char*) message, sizeof message - 1);
  if (uv_pipe(ends, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE) != 0)
    return 1;
  uv_pipe_init(loop, &receiver, 0);
  uv_pipe_init(loop, &sender, 0);
  uv_pipe_open(&receiver, ends[0]);
  uv_pipe_open(&sender, ends[1]);
  uv_read_start((uv_stream_t*) &receiver, allocate, on_read);
  uv_write(&request, (uv_stream_t*) &sender, &buffer, 1, NULL);
  return uv_run(loop, UV_RUN_DEFAULT);
}
