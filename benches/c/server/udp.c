/* A UDP echo server. Prints its address and serves until it is killed. */
#include <arpa/inet.h>

#include "../bench.h"

enum { BUFFER = 64 << 10 };

typedef struct send_req {
  uv_udp_send_t req;
  struct send_req* next;
  char bytes[BUFFER];
} send_req;

static send_req* free_reqs;

static void free_req(send_req* req) {
  req->next = free_reqs;
  free_reqs = req;
}

static void on_alloc(uv_handle_t* handle, size_t size, uv_buf_t* buffer) {
  (void) handle;
  (void) size;
  send_req* req = free_reqs;
  if (req == NULL)
    req = malloc(sizeof(*req));
  else
    free_reqs = req->next;
  *buffer = uv_buf_init(req->bytes, BUFFER);
}

static void on_sent(uv_udp_send_t* req, int status) {
  CHECK(status);
  free_req((send_req*) req);
}

static void on_packet(uv_udp_t* udp, ssize_t count, const uv_buf_t* buffer,
                      const struct sockaddr* from, unsigned flags) {
  (void) flags;
  CHECK((int) count);
  send_req* req = (send_req*) (buffer->base - offsetof(send_req, bytes));
  if (from == NULL) {
    free_req(req);
    return;
  }
  uv_buf_t bytes = uv_buf_init(req->bytes, count);
  CHECK(uv_udp_send(&req->req, udp, &bytes, 1, from, on_sent));
}

int main(void) {
  static uv_udp_t udp;
  struct sockaddr_in address;
  int length = sizeof(address);
  CHECK(uv_ip4_addr("127.0.0.1", 0, &address));
  CHECK(uv_udp_init(uv_default_loop(), &udp));
  CHECK(uv_udp_bind(&udp, (struct sockaddr*) &address, 0));
  CHECK(uv_udp_recv_start(&udp, on_alloc, on_packet));
  CHECK(uv_udp_getsockname(&udp, (struct sockaddr*) &address, &length));
  printf("ready 127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
