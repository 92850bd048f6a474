/* Lost datagrams: an answer is expected to each question. Errors are handled: the question is sent again. */
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

static uv_udp_t server, client;
static uv_timer_t patience;
static struct sockaddr_in address;

static void on_buffer(uv_handle_t* handle, size_t size, uv_buf_t* buffer) {
  static char bytes[64];
  (void) handle, (void) size;
  *buffer = uv_buf_init(bytes, sizeof bytes);
}

static void send_to(uv_udp_t* udp, const struct sockaddr* to);

static void on_sent(uv_udp_send_t* request, int status) {
  struct sockaddr_in* to = request->data;
  if (status < 0)
    send_to(request->handle, (struct sockaddr*) to);
  free(to);
  free(request);
}

static void send_to(uv_udp_t* udp, const struct sockaddr* to) {
  uv_udp_send_t* request = malloc(sizeof *request);
  uv_buf_t buffer = uv_buf_init("?", 1);
  struct sockaddr_in* kept = malloc(sizeof *kept);
  *kept = *(const struct sockaddr_in*) to;
  request->data = kept;
  if (uv_udp_send(request, udp, &buffer, 1, to, on_sent) != 0)
    abort();
}

static void on_question(
    uv_udp_t* udp, ssize_t count, const uv_buf_t* buffer, const struct sockaddr* from, unsigned flags) {
  (void) buffer, (void) flags;
  if (count > 0)
    send_to(udp, from);
}

static void on_answer(
    uv_udp_t* udp, ssize_t count, const uv_buf_t* buffer, const struct sockaddr* from, unsigned flags) {
  (void) buffer, (void) from, (void) flags;
  if (count <= 0)
    return;
  uv_close((uv_handle_t*) udp, NULL);
  uv_close((uv_handle_t*) &server, NULL);
  uv_close((uv_handle_t*) &patience, NULL);
}

static void on_patience(uv_timer_t* timer) {
  (void) timer;
  fprintf(stderr, "no answer\n");
  exit(3);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  int length = sizeof address;
  uv_udp_init(loop, &server);
  uv_udp_init(loop, &client);
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_udp_bind(&server, (struct sockaddr*) &address, 0);
  uv_udp_getsockname(&server, (struct sockaddr*) &address, &length);
  uv_udp_recv_start(&server, on_buffer, on_question);
  send_to(&client, (struct sockaddr*) &address);
  uv_udp_recv_start(&client, on_buffer, on_answer);
  uv_timer_init(loop, &patience);
  uv_timer_start(&patience, on_patience, 10000, 0);
  return uv_run(loop, UV_RUN_DEFAULT);
}
