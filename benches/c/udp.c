/* Datagrams in one direction. The sender sends to a socket that is never read, and the
 * receiver's socket is filled before its measurement. So each side is measured alone. */
#include <arpa/inet.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include "bench.h"

enum { SIZE = 64, BURST = 64, PACKETS = 50000, BURSTS = PACKETS / BURST };

static char packet[SIZE];
static uv_udp_send_t sends[BURST];
static int unsent;
static unsigned long received;

/* A socket that is never read. GRO is enabled: otherwise the kernel splits merged datagrams, and
 * charges that to the sender. */
static int unread_socket(struct sockaddr_in* address) {
  socklen_t length = sizeof(*address);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  int on = 1;
  setsockopt(fd, IPPROTO_UDP, UDP_GRO, &on, sizeof(on));
  CHECK(uv_ip4_addr("127.0.0.1", 0, address));
  if (bind(fd, (struct sockaddr*) address, length) || getsockname(fd, (void*) address, &length)) {
    perror("socket");
    exit(1);
  }
  return fd;
}

static void on_sent(uv_udp_send_t* req, int status) {
  (void) req;
  CHECK(status);
  unsent--;
}

static void send_packets(void) {
  struct sockaddr_in address;
  uv_udp_t udp;
  int fd = unread_socket(&address);
  uv_loop_t loop;
  CHECK(uv_loop_init(&loop));
  CHECK(uv_udp_init(&loop, &udp));
  uv_buf_t buffer = uv_buf_init(packet, SIZE);
  double begin = begin_measuring();
  for (int burst = 0; burst < BURSTS; burst++) {
    unsent = BURST;
    for (int i = 0; i < BURST; i++)
      CHECK(uv_udp_send(&sends[i], &udp, &buffer, 1, (struct sockaddr*) &address, on_sent));
    uv_run(&loop, UV_RUN_DEFAULT);
    if (unsent != 0)
      abort();
  }
  result("udp send, 64 at a time", begin, BURSTS * BURST);
  uv_close((uv_handle_t*) &udp, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  CHECK(uv_loop_close(&loop));
  close(fd);
}

static void try_sends(void) {
  struct sockaddr_in address;
  uv_udp_t udp;
  int fd = unread_socket(&address);
  uv_loop_t loop;
  CHECK(uv_loop_init(&loop));
  CHECK(uv_udp_init(&loop, &udp));
  CHECK(uv_udp_connect(&udp, (struct sockaddr*) &address));
  uv_buf_t buffer = uv_buf_init(packet, SIZE);
  double begin = begin_measuring();
  for (int i = 0; i < PACKETS; i++)
    CHECK(uv_udp_try_send(&udp, &buffer, 1, NULL));
  result("udp try_send", begin, PACKETS);
  uv_close((uv_handle_t*) &udp, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  CHECK(uv_loop_close(&loop));
  close(fd);
}

static void on_alloc(uv_handle_t* handle, size_t size, uv_buf_t* buffer) {
  static char bytes[64 << 10];
  (void) handle;
  (void) size;
  *buffer = uv_buf_init(bytes, sizeof(bytes));
}

static void on_packet(uv_udp_t* udp, ssize_t count, const uv_buf_t* buffer,
                      const struct sockaddr* from, unsigned flags) {
  (void) udp;
  (void) buffer;
  (void) flags;
  CHECK((int) count);
  if (from != NULL)
    received++;
}

static void receive_packets(void) {
  struct sockaddr_in address;
  int length = sizeof(address);
  uv_udp_t udp;
  uv_loop_t loop;
  CHECK(uv_loop_init(&loop));
  CHECK(uv_udp_init(&loop, &udp));
  CHECK(uv_ip4_addr("127.0.0.1", 0, &address));
  CHECK(uv_udp_bind(&udp, (struct sockaddr*) &address, 0));
  CHECK(uv_udp_getsockname(&udp, (struct sockaddr*) &address, &length));
  CHECK(uv_udp_recv_start(&udp, on_alloc, on_packet));
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  double cpu = 0, calls = 0;
  for (int burst = 0; burst < BURSTS; burst++) {
    for (int i = 0; i < BURST; i++)
      if (sendto(fd, packet, SIZE, 0, (struct sockaddr*) &address, sizeof(address)) != SIZE)
        abort();
    double calls_begin = bench_calls();
    double begin = cpu_time();
    while (received < (unsigned long) (burst + 1) * BURST)
      uv_run(&loop, UV_RUN_NOWAIT);
    cpu += cpu_time() - begin;
    calls = calls_begin < 0 ? -1 : calls + bench_calls() - calls_begin;
  }
  report("udp receive, 64 at a time", cpu / (BURSTS * BURST), -1,
         calls < 0 ? -1 : calls / (BURSTS * BURST));
  close(fd);
}

int main(void) {
  send_packets();
  try_sends();
  receive_packets();
  return 0;
}
