/* A writer that is faster than its reader: it stops when its queue grows, and goes on when it is empty. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { CHUNK = 65536, PAUSES = 3 };

static uv_pipe_t writer, reader;
static char chunk[CHUNK];
static size_t sent, received;
static int writes, callbacks, pauses;

static void alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
  static char memory[CHUNK];
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(memory, sizeof(memory));
}

static void on_read(uv_stream_t* stream, ssize_t nread, const uv_buf_t* buf) {
  (void)buf;
  if (nread > 0) received += (size_t)nread;
  if (nread < 0) uv_close((uv_handle_t*)stream, NULL);
}

static void fill(void);

static void on_write(uv_write_t* req, int status) {
  free(req);
  if (status < 0) exit(1);
  callbacks++;
  if (uv_stream_get_write_queue_size((uv_stream_t*)&writer) > 0) return;
  if (callbacks < writes) return; /* Other callbacks of writes that are done follow. */
  printf("the queue is empty, all callbacks have run\n");
  if (pauses < PAUSES) fill();
  else uv_close((uv_handle_t*)&writer, NULL);
}

/* Writes until the kernel takes no more, so that the rest is queued. */
static void fill(void) {
  uv_buf_t buf = uv_buf_init(chunk, CHUNK);
  do {
    writes++;
    sent += CHUNK;
    uv_write(malloc(sizeof(uv_write_t)), (uv_stream_t*)&writer, &buf, 1, on_write);
  } while (uv_stream_get_write_queue_size((uv_stream_t*)&writer) == 0);
  pauses++;
  printf("pause %d: the queue is not empty, the writer waits\n", pauses);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  uv_os_sock_t fds[2];

  uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
  uv_pipe_init(loop, &writer, 0);
  uv_pipe_open(&writer, fds[0]);
  uv_pipe_init(loop, &reader, 0);
  uv_pipe_open(&reader, fds[1]);
  fill();
  uv_read_start((uv_stream_t*)&reader, alloc, on_read);
  uv_run(loop, UV_RUN_DEFAULT);
  printf("%s\n", sent == received ? "every byte has arrived" : "bytes are missing");
  return uv_loop_close(loop);
}
