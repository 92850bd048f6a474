/* Hot paths of the library: `paths NAME COUNT` repeats the path NAME COUNT times.
 *
 * Everything runs on one thread, except for work on the pool, with a plain socket as the peer, so
 * that the counts are the same in every run. They include the cost of the plain socket, which does
 * not depend on the library. The program prints the number of allocations. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

enum { MESSAGE = 64, BATCH = 16, MANY = 64, TIMERS = 1000 };

static unsigned long allocations;

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);

void* malloc(size_t size) {
  __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
  return __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
  return __libc_realloc(old, size);
}

static void check(long result, const char* what) {
  if (result < 0) {
    fprintf(stderr, "%s: %s\n", what, uv_strerror((int) result));
    exit(1);
  }
}

#define CHECK(call) check((call), #call)
#define EXPECT(condition)                             \
  do {                                                \
    if (!(condition)) {                               \
      fprintf(stderr, "failed: %s\n", #condition);    \
      exit(1);                                        \
    }                                                 \
  } while (0)

static uv_loop_t* loop;
static char buffer[64 << 10];
static int done;

static void on_alloc(uv_handle_t* handle, size_t size, uv_buf_t* into) {
  (void) handle;
  (void) size;
  *into = uv_buf_init(buffer, sizeof(buffer));
}

static void on_written(uv_write_t* req, int status) {
  (void) req;
  CHECK(status);
  done++;
}

static void on_closed(uv_handle_t* server) {
  server->data = NULL;
}

static void on_connection(uv_stream_t* server, int status) {
  uv_tcp_t* tcp = server->data;
  CHECK(status);
  CHECK(uv_tcp_init(loop, tcp));
  CHECK(uv_accept(server, (uv_stream_t*) tcp));
  CHECK(uv_tcp_nodelay(tcp, 1));
  uv_close((uv_handle_t*) server, on_closed);
}

/* Accepts a connection of a plain socket into `tcp`. Returns the socket. */
static int connected(uv_tcp_t* tcp) {
  uv_tcp_t server;
  struct sockaddr_in address;
  int length = sizeof(address);
  int peer = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(uv_ip4_addr("127.0.0.1", 0, &address));
  CHECK(uv_tcp_init(loop, &server));
  server.data = tcp;
  CHECK(uv_tcp_bind(&server, (struct sockaddr*) &address, 0));
  CHECK(uv_listen((uv_stream_t*) &server, 1, on_connection));
  CHECK(uv_tcp_getsockname(&server, (struct sockaddr*) &address, &length));
  EXPECT(connect(peer, (struct sockaddr*) &address, length) == 0);
  while (server.data != NULL)
    uv_run(loop, UV_RUN_ONCE);
  return peer;
}

static uv_write_t writes[BATCH];

static void on_message(uv_stream_t* stream, ssize_t count, const uv_buf_t* from) {
  uv_buf_t bytes = uv_buf_init(from->base, count);
  EXPECT(count == MESSAGE);
  CHECK(uv_write(&writes[0], stream, &bytes, 1, on_written));
}

static void tcp_echo(int count) {
  uv_tcp_t tcp;
  char message[MESSAGE] = {0};
  int peer = connected(&tcp);
  CHECK(uv_read_start((uv_stream_t*) &tcp, on_alloc, on_message));
  for (int i = 0; i < count; i++) {
    EXPECT(write(peer, message, MESSAGE) == MESSAGE);
    while (done <= i)
      uv_run(loop, UV_RUN_ONCE);
    EXPECT(read(peer, message, MESSAGE) == MESSAGE);
  }
}

static uv_write_t many_writes[MANY];
static uv_tcp_t many[MANY];

static void on_message_of_many(uv_stream_t* stream, ssize_t count, const uv_buf_t* from) {
  uv_buf_t bytes = uv_buf_init(from->base, count);
  EXPECT(count == MESSAGE);
  CHECK(uv_write(&many_writes[(uv_tcp_t*) stream - many], stream, &bytes, 1, on_written));
}

/* Many connections are readable in one poll phase. A repetition is one message. */
static void tcp_echo_many(int count) {
  char message[MESSAGE] = {0};
  int peers[MANY];
  for (int i = 0; i < MANY; i++) {
    peers[i] = connected(&many[i]);
    CHECK(uv_read_start((uv_stream_t*) &many[i], on_alloc, on_message_of_many));
  }
  for (int sent = 0; sent < count; sent += MANY) {
    for (int i = 0; i < MANY; i++)
      EXPECT(write(peers[i], message, MESSAGE) == MESSAGE);
    while (done < sent + MANY)
      uv_run(loop, UV_RUN_ONCE);
    for (int i = 0; i < MANY; i++)
      EXPECT(read(peers[i], message, MESSAGE) == MESSAGE);
  }
}

static uv_tcp_t shorts[BATCH];
static int accepted, closed;

static void on_short_closed(uv_handle_t* handle) {
  (void) handle;
  closed++;
}

static void on_short_message(uv_stream_t* stream, ssize_t count, const uv_buf_t* from) {
  if (count == UV_EOF) {
    uv_close((uv_handle_t*) stream, on_short_closed);
    return;
  }
  uv_buf_t bytes = uv_buf_init(from->base, count);
  EXPECT(count == MESSAGE);
  CHECK(uv_write(&writes[(uv_tcp_t*) stream - shorts], stream, &bytes, 1, on_written));
}

static void on_short(uv_stream_t* server, int status) {
  uv_tcp_t* tcp = &shorts[accepted++ % BATCH];
  CHECK(status);
  CHECK(uv_tcp_init(loop, tcp));
  CHECK(uv_accept(server, (uv_stream_t*) tcp));
  CHECK(uv_read_start((uv_stream_t*) tcp, on_alloc, on_short_message));
}

/* Short connections in batches, with one message each. A repetition is one connection. */
static void tcp_short(int count) {
  char message[MESSAGE] = {0};
  struct sockaddr_in address;
  int peers[BATCH], length = sizeof(address);
  uv_tcp_t server;
  CHECK(uv_ip4_addr("127.0.0.1", 0, &address));
  CHECK(uv_tcp_init(loop, &server));
  CHECK(uv_tcp_bind(&server, (struct sockaddr*) &address, 0));
  CHECK(uv_listen((uv_stream_t*) &server, BATCH, on_short));
  CHECK(uv_tcp_getsockname(&server, (struct sockaddr*) &address, &length));
  for (int opened = BATCH; opened <= count; opened += BATCH) {
    for (int i = 0; i < BATCH; i++) {
      peers[i] = socket(AF_INET, SOCK_STREAM, 0);
      EXPECT(connect(peers[i], (struct sockaddr*) &address, length) == 0);
      EXPECT(write(peers[i], message, MESSAGE) == MESSAGE);
    }
    while (done < opened)
      uv_run(loop, UV_RUN_ONCE);
    for (int i = 0; i < BATCH; i++) {
      EXPECT(read(peers[i], message, MESSAGE) == MESSAGE);
      close(peers[i]);
    }
    while (closed < opened)
      uv_run(loop, UV_RUN_ONCE);
  }
}

static void on_request(uv_stream_t* stream, ssize_t count, const uv_buf_t* from) {
  static char bytes[MESSAGE];
  uv_buf_t message = uv_buf_init(bytes, MESSAGE);
  (void) from;
  EXPECT(count == 1);
  for (int i = 0; i < BATCH; i++)
    CHECK(uv_write(&writes[i], stream, &message, 1, on_written));
}

/* A callback answers each request with a batch of writes. A repetition is one request. */
static void write_batch(int count) {
  uv_tcp_t tcp;
  int peer = connected(&tcp);
  CHECK(uv_read_start((uv_stream_t*) &tcp, on_alloc, on_request));
  for (int i = 0; i < count; i++) {
    EXPECT(write(peer, "?", 1) == 1);
    while (done < (i + 1) * BATCH)
      uv_run(loop, UV_RUN_ONCE);
    EXPECT(recv(peer, buffer, BATCH * MESSAGE, MSG_WAITALL) == BATCH * MESSAGE);
  }
}

static void on_timer(uv_timer_t* timer) {
  (void) timer;
}

static void timer_restart(int count) {
  static uv_timer_t timers[TIMERS];
  for (int i = 0; i < TIMERS; i++)
    CHECK(uv_timer_init(loop, &timers[i]));
  for (int i = 0; i < count; i++)
    CHECK(uv_timer_start(&timers[i % TIMERS], on_timer, 1000 + i * 7919u % 10000, 0));
}

static void on_async(uv_async_t* async) {
  (void) async;
  done++;
}

static void async_send(int count) {
  uv_async_t async;
  CHECK(uv_async_init(loop, &async, on_async));
  for (int i = 0; i < count; i++) {
    CHECK(uv_async_send(&async));
    while (done <= i)
      uv_run(loop, UV_RUN_ONCE);
  }
}

static void on_work(uv_work_t* work) {
  (void) work;
}

static void on_worked(uv_work_t* work, int status) {
  (void) work;
  CHECK(status);
  done++;
}

static void queue_work(int count) {
  uv_work_t work;
  for (int i = 0; i < count; i++) {
    CHECK(uv_queue_work(loop, &work, on_work, on_worked));
    while (done <= i)
      uv_run(loop, UV_RUN_ONCE);
  }
}

static void on_read(uv_fs_t* fs) {
  EXPECT(fs->result == 4096);
  uv_fs_req_cleanup(fs);
  done++;
}

static void fs_read(int count) {
  char path[] = "/tmp/mauve-guard-XXXXXX";
  int file = mkstemp(path);
  uv_fs_t fs;
  uv_buf_t into = uv_buf_init(buffer, 4096);
  EXPECT(file >= 0 && write(file, buffer, 4096) == 4096);
  unlink(path);
  for (int i = 0; i < count; i++) {
    CHECK(uv_fs_read(loop, &fs, file, &into, 1, 0, on_read));
    while (done <= i)
      uv_run(loop, UV_RUN_ONCE);
  }
}

static void on_sent(uv_udp_send_t* req, int status) {
  (void) req;
  CHECK(status);
  done++;
}

static void on_packet(uv_udp_t* udp, ssize_t count, const uv_buf_t* bytes,
                      const struct sockaddr* from, unsigned flags) {
  static uv_udp_send_t req;
  (void) flags;
  if (from == NULL)
    return;
  EXPECT(count == MESSAGE);
  uv_buf_t answer = uv_buf_init(bytes->base, count);
  CHECK(uv_udp_send(&req, udp, &answer, 1, from, on_sent));
}

static void udp_packet(int count) {
  uv_udp_t udp;
  struct sockaddr_in address;
  int length = sizeof(address);
  char message[MESSAGE] = {0};
  int peer = socket(AF_INET, SOCK_DGRAM, 0);
  CHECK(uv_ip4_addr("127.0.0.1", 0, &address));
  CHECK(uv_udp_init(loop, &udp));
  CHECK(uv_udp_bind(&udp, (struct sockaddr*) &address, 0));
  CHECK(uv_udp_getsockname(&udp, (struct sockaddr*) &address, &length));
  CHECK(uv_udp_recv_start(&udp, on_alloc, on_packet));
  EXPECT(connect(peer, (struct sockaddr*) &address, sizeof(address)) == 0);
  for (int i = 0; i < count; i++) {
    EXPECT(send(peer, message, MESSAGE, 0) == MESSAGE);
    while (done <= i)
      uv_run(loop, UV_RUN_ONCE);
    EXPECT(recv(peer, message, MESSAGE, 0) == MESSAGE);
  }
}

static const struct {
  const char* name;
  void (*run)(int count);
} paths[] = {
    {"tcp_echo", tcp_echo},       {"tcp_echo_many", tcp_echo_many},
    {"tcp_short", tcp_short},     {"write_batch", write_batch},
    {"timer_restart", timer_restart},
    {"async_send", async_send},   {"queue_work", queue_work},
    {"fs_read", fs_read},         {"udp_packet", udp_packet},
};

int main(int argc, char** argv) {
  loop = uv_default_loop();
  for (size_t i = 0; argc == 3 && i < sizeof(paths) / sizeof(paths[0]); i++) {
    if (strcmp(paths[i].name, argv[1]) == 0) {
      paths[i].run(atoi(argv[2]));
      printf("allocations %lu\n", allocations);
      return 0;
    }
  }
  fprintf(stderr, "usage: %s NAME COUNT\n", argv[0]);
  return 2;
}
