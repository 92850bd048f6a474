/* Ten ticks of a timer, 20 jobs, 30 messages over TCP and one wake-up by a thread. With an argument
 * it ends otherwise: `crash` by a signal, `kill` by SIGKILL, `wait` never. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#define TICKS 10
#define JOBS 20
#define MESSAGES 30

static uv_loop_t* loop;
static uv_timer_t timer;
static uv_async_t async;
static uv_tcp_t server, client, accepted;
static uv_connect_t connect_request;
static uv_write_t write_request;
static uv_work_t jobs[JOBS];
static char buffer[64];
static int ticks, sent, received;

static void on_tick(uv_timer_t* handle) {
  if (++ticks == TICKS) uv_close((uv_handle_t*) handle, NULL);
}

static void on_wakeup(uv_async_t* handle) {
  uv_close((uv_handle_t*) handle, NULL);
}

static void send_wakeup(void* argument) {
  (void) argument;
  uv_async_send(&async);
}

static void run_job(uv_work_t* request) {
  volatile unsigned sum = 0;
  (void) request;
  for (unsigned i = 0; i < 1000; i++) sum += i;
}

static void after_job(uv_work_t* request, int status) {
  (void) request;
  (void) status;
}

static void on_alloc(uv_handle_t* handle, size_t size, uv_buf_t* to) {
  (void) handle;
  (void) size;
  *to = uv_buf_init(buffer, sizeof(buffer));
}

static void send_message(void);

static void on_sent(uv_write_t* request, int status) {
  (void) request;
  if (status != 0) abort();
}

static void send_message(void) {
  uv_buf_t message = uv_buf_init("hello", 5);
  sent++;
  uv_write(&write_request, (uv_stream_t*) &client, &message, 1, on_sent);
}

static void on_message(uv_stream_t* stream, ssize_t size, const uv_buf_t* from) {
  (void) from;
  if (size != 5) return;
  if (++received < MESSAGES) {
    send_message();
    return;
  }
  uv_close((uv_handle_t*) stream, NULL);
  uv_close((uv_handle_t*) &client, NULL);
  uv_close((uv_handle_t*) &server, NULL);
}

static void on_connection(uv_stream_t* from, int status) {
  if (status != 0) abort();
  uv_tcp_init(loop, &accepted);
  uv_accept(from, (uv_stream_t*) &accepted);
  uv_read_start((uv_stream_t*) &accepted, on_alloc, on_message);
}

static void on_connect(uv_connect_t* request, int status) {
  (void) request;
  if (status != 0) abort();
  send_message();
}

static void listen_and_connect(void) {
  struct sockaddr_in address;
  struct sockaddr_storage bound;
  int size = sizeof(bound);
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_tcp_init(loop, &server);
  uv_tcp_init(loop, &client);
  uv_tcp_bind(&server, (struct sockaddr*) &address, 0);
  uv_listen((uv_stream_t*) &server, 1, on_connection);
  uv_tcp_getsockname(&server, (struct sockaddr*) &bound, &size);
  uv_tcp_connect(&connect_request, &client, (struct sockaddr*) &bound, on_connect);
}

int main(int argc, char** argv) {
  const char* end = argc > 1 ? argv[1] : "";
  uv_thread_t thread;
  uv_timer_t forever;
  loop = uv_default_loop();
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_tick, 1, 1);
  uv_async_init(loop, &async, on_wakeup);
  for (int i = 0; i < JOBS; i++) uv_queue_work(loop, &jobs[i], run_job, after_job);
  listen_and_connect();
  uv_thread_create(&thread, send_wakeup, NULL);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_thread_join(&thread);
  if (strcmp(end, "crash") == 0) raise(SIGSEGV);
  if (strcmp(end, "kill") == 0) raise(SIGKILL);
  if (strcmp(end, "wait") == 0) {
    puts("ready");
    fflush(stdout);
    uv_timer_init(loop, &forever);
    uv_timer_start(&forever, on_tick, 1, 1);
    ticks = TICKS;
    uv_run(loop, UV_RUN_DEFAULT);
  }
  return 7;
}
