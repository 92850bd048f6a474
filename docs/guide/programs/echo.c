/* A server that sends back what it receives, and a client, on one loop. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

static uv_tcp_t server, connection, client;
static uv_connect_t connect_req;
static uv_write_t client_write;
static uv_shutdown_t shutdown_req;

static void alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
  (void)handle;
  *buf = uv_buf_init(malloc(suggested), (unsigned)suggested);
}

static void on_echoed(uv_write_t* req, int status) {
  printf("server: the bytes are sent, status %d\n", status);
  free(req->data);
  free(req);
}

static void on_server_read(uv_stream_t* stream, ssize_t nread, const uv_buf_t* buf) {
  if (nread > 0) {
    uv_write_t* req = malloc(sizeof(*req));
    uv_buf_t answer = uv_buf_init(buf->base, (unsigned)nread);
    printf("server: received %.*s\n", (int)nread, buf->base);
    req->data = buf->base; /* Freed in on_echoed: the bytes must stay until then. */
    uv_write(req, stream, &answer, 1, on_echoed);
    return;
  }
  free(buf->base);
  if (nread == 0) return; /* Nothing to read now, and not the end. */
  printf("server: %s, closes\n", nread == UV_EOF ? "end of the stream" : uv_strerror((int)nread));
  uv_close((uv_handle_t*)stream, NULL);
  uv_close((uv_handle_t*)&server, NULL);
}

static void on_connection(uv_stream_t* listener, int status) {
  printf("server: a connection, status %d\n", status);
  uv_tcp_init(listener->loop, &connection);
  uv_accept(listener, (uv_stream_t*)&connection);
  uv_read_start((uv_stream_t*)&connection, alloc, on_server_read);
}

static void on_client_read(uv_stream_t* stream, ssize_t nread, const uv_buf_t* buf) {
  if (nread > 0) {
    printf("client: received %.*s\n", (int)nread, buf->base);
    uv_shutdown(&shutdown_req, stream, NULL);
  }
  free(buf->base);
  if (nread >= 0) return;
  printf("client: %s, closes\n", uv_err_name((int)nread));
  uv_close((uv_handle_t*)stream, NULL);
}

static void on_connect(uv_connect_t* req, int status) {
  uv_buf_t buf = uv_buf_init("hello", 5);
  if (status < 0) exit(1);
  uv_write(&client_write, req->handle, &buf, 1, NULL);
  uv_read_start(req->handle, alloc, on_client_read);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  struct sockaddr_in address;
  int length = sizeof(address);

  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_tcp_init(loop, &server);
  uv_tcp_bind(&server, (struct sockaddr*)&address, 0);
  uv_listen((uv_stream_t*)&server, 128, on_connection);
  uv_tcp_getsockname(&server, (struct sockaddr*)&address, &length); /* The port that was chosen. */

  uv_tcp_init(loop, &client);
  uv_tcp_connect(&connect_req, &client, (struct sockaddr*)&address, on_connect);
  uv_run(loop, UV_RUN_DEFAULT);
  return uv_loop_close(loop);
}
