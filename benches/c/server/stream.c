/* Servers over TCP and Unix domain sockets: echo, reply, sink, close. Prints its address and serves
 * until it is killed.
 *
 * Read buffers are part of write requests from a free list, so that an echo needs no copy and no
 * allocation. */
#include <arpa/inet.h>

#include "../bench.h"

enum { BUFFER = 64 << 10, MESSAGE = 64, BACKLOG = 1024 };

typedef struct write_req {
  uv_write_t req;
  struct write_req* next;
  char bytes[BUFFER];
} write_req;

typedef struct small_req {
  uv_write_t req;
  struct small_req* next;
} small_req;

typedef union {
  uv_tcp_t tcp;
  uv_pipe_t pipe;
} listener;

typedef struct {
  union {
    uv_stream_t stream;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
  };
  size_t partial;
} connection;

static write_req* free_reqs;
static small_req* free_small;
static uv_read_cb on_read;
static int is_pipe;
static char reply_bytes[MESSAGE];

static void on_close(uv_handle_t* handle) {
  free(handle);
}

static void close_stream(uv_stream_t* stream) {
  if (!uv_is_closing((uv_handle_t*) stream))
    uv_close((uv_handle_t*) stream, on_close);
}

static void free_req(write_req* req) {
  req->next = free_reqs;
  free_reqs = req;
}

static void on_alloc(uv_handle_t* handle, size_t size, uv_buf_t* buffer) {
  (void) handle;
  (void) size;
  write_req* req = free_reqs;
  if (req == NULL)
    req = malloc(sizeof(*req));
  else
    free_reqs = req->next;
  *buffer = uv_buf_init(req->bytes, BUFFER);
}

static write_req* req_of(const uv_buf_t* buffer) {
  return (write_req*) (buffer->base - offsetof(write_req, bytes));
}

static void on_written(uv_write_t* req, int status) {
  if (status < 0)
    close_stream(req->handle);
  free_req((write_req*) req);
}

static void on_echo(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
  if (count > 0) {
    write_req* req = req_of(buffer);
    uv_buf_t bytes = uv_buf_init(req->bytes, count);
    CHECK(uv_write(&req->req, stream, &bytes, 1, on_written));
    return;
  }
  if (buffer->base != NULL)
    free_req(req_of(buffer));
  if (count < 0)
    close_stream(stream);
}

static void on_reply_written(uv_write_t* req, int status) {
  small_req* small = (small_req*) req;
  if (status < 0)
    close_stream(req->handle);
  small->next = free_small;
  free_small = small;
}

static void on_message(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
  connection* peer = (connection*) stream;
  if (buffer->base != NULL)
    free_req(req_of(buffer));
  if (count < 0) {
    close_stream(stream);
    return;
  }
  peer->partial += count;
  for (; peer->partial >= MESSAGE; peer->partial -= MESSAGE) {
    uv_buf_t bytes = uv_buf_init(reply_bytes, MESSAGE);
    small_req* req = free_small;
    if (req == NULL)
      req = malloc(sizeof(*req));
    else
      free_small = req->next;
    CHECK(uv_write(&req->req, stream, &bytes, 1, on_reply_written));
  }
}

static void on_sink(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
  if (buffer->base != NULL)
    free_req(req_of(buffer));
  if (count < 0)
    close_stream(stream);
}

static void on_connection(uv_stream_t* server, int status) {
  connection* peer = calloc(1, sizeof(*peer));
  CHECK(status);
  if (is_pipe) {
    CHECK(uv_pipe_init(server->loop, &peer->pipe, 0));
  } else {
    CHECK(uv_tcp_init(server->loop, &peer->tcp));
  }
  CHECK(uv_accept(server, &peer->stream));
  if (on_read == NULL) {
    uv_close((uv_handle_t*) &peer->stream, on_close);
    return;
  }
  if (!is_pipe)
    CHECK(uv_tcp_nodelay(&peer->tcp, 1));
  CHECK(uv_read_start(&peer->stream, on_alloc, on_read));
}

static void listen_on_tcp(uv_tcp_t* server) {
  struct sockaddr_in address;
  int length = sizeof(address);
  CHECK(uv_ip4_addr("127.0.0.1", 0, &address));
  CHECK(uv_tcp_init(uv_default_loop(), server));
  CHECK(uv_tcp_bind(server, (struct sockaddr*) &address, 0));
  CHECK(uv_listen((uv_stream_t*) server, BACKLOG, on_connection));
  CHECK(uv_tcp_getsockname(server, (struct sockaddr*) &address, &length));
  printf("ready 127.0.0.1:%d\n", ntohs(address.sin_port));
}

static void listen_on_pipe(uv_pipe_t* server) {
  char path[64];
  snprintf(path, sizeof(path), "/tmp/mauve-bench-%d", (int) getpid());
  CHECK(uv_pipe_init(uv_default_loop(), server, 0));
  CHECK(uv_pipe_bind(server, path));
  CHECK(uv_listen((uv_stream_t*) server, BACKLOG, on_connection));
  printf("ready %s\n", path);
}

int main(int argc, char** argv) {
  static listener server;
  const char* service = argc == 2 ? argv[1] : "";
  if (!strcmp(service, "tcp-echo") || !strcmp(service, "pipe-echo")) {
    on_read = on_echo;
  } else if (!strcmp(service, "reply")) {
    on_read = on_message;
  } else if (!strcmp(service, "sink")) {
    on_read = on_sink;
  } else if (!strcmp(service, "close")) {
    on_read = NULL;
  } else {
    fprintf(stderr, "usage: %s tcp-echo|pipe-echo|reply|sink|close\n", argv[0]);
    return 2;
  }
  memset(reply_bytes, 'm', MESSAGE);
  is_pipe = !strcmp(service, "pipe-echo");
  if (is_pipe)
    listen_on_pipe(&server.pipe);
  else
    listen_on_tcp(&server.tcp);
  fflush(stdout);
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
