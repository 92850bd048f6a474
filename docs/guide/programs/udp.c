/* Sends datagrams to itself. Each is received as it was sent, also an empty one. */
#include <stdio.h>
#include <string.h>
#include <uv.h>

static uv_udp_t sock;
static uv_udp_send_t reqs[3];

static void alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
  static char memory[65536];
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(memory, sizeof(memory));
}

static void on_receive(uv_udp_t* handle, ssize_t nread, const uv_buf_t* buf, const struct sockaddr* from,
                       unsigned flags) {
  char name[64];
  (void)flags;
  if (from == NULL) return; /* Nothing more to receive now. */
  uv_ip_name(from, name, sizeof(name));
  printf("from %s: %d bytes \"%.*s\"\n", name, (int)nread, (int)nread, buf->base);
  if (nread == 3) uv_close((uv_handle_t*)handle, NULL);
}

static void send_text(uv_udp_send_t* req, const char* text, const struct sockaddr_in* to) {
  uv_buf_t buf = uv_buf_init((char*)text, (unsigned)strlen(text));
  uv_udp_send(req, &sock, &buf, 1, (const struct sockaddr*)to, NULL);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  struct sockaddr_in address;
  int length = sizeof(address);

  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_udp_init(loop, &sock);
  uv_udp_bind(&sock, (const struct sockaddr*)&address, 0);
  uv_udp_getsockname(&sock, (struct sockaddr*)&address, &length);
  uv_udp_recv_start(&sock, alloc, on_receive);
  send_text(&reqs[0], "hello", &address);
  send_text(&reqs[1], "", &address);
  send_text(&reqs[2], "end", &address);
  uv_run(loop, UV_RUN_DEFAULT);
  return uv_loop_close(loop);
}
