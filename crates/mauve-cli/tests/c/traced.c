/* A program for the tests of `mauve trace`: a server and a client in one loop, work, a wake-up and
 * timers. The arguments select how it ends. */
#include <assert.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#define MESSAGES 1000
#define JOBS 40

static uv_loop_t* loop;
static uv_tcp_t server, peer, client;
static uv_connect_t connecting;
static uv_async_t async;
static uv_timer_t timer;
static uv_work_t jobs[JOBS];
static char storage[64];
static int received, done;
static const char* end = "";

static void on_alloc(uv_handle_t* handle, size_t size, uv_buf_t* buffer) {
  (void) handle, (void) size;
  *buffer = uv_buf_init(storage, 1);
}

static void on_written(uv_write_t* request, int status) {
  (void) status;
  free(request);
}

static void send_byte(uv_stream_t* stream) {
  uv_write_t* request = malloc(sizeof *request);
  uv_buf_t buffer = uv_buf_init("x", 1);
  assert(uv_write(request, stream, &buffer, 1, on_written) == 0);
}

static void close_when_done(void) {
  if (received < MESSAGES || done < JOBS || uv_is_closing((uv_handle_t*) &server)) return;
  uv_close((uv_handle_t*) &server, NULL);
  uv_close((uv_handle_t*) &peer, NULL);
  uv_close((uv_handle_t*) &client, NULL);
  uv_close((uv_handle_t*) &timer, NULL);
}

static void on_echo(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
  (void) buffer;
  if (size <= 0) return;
  if (++received < MESSAGES) send_byte(stream);
  else close_when_done();
}

static void on_message(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
  (void) buffer;
  if (size > 0) send_byte(stream);
}

static void on_connection(uv_stream_t* stream, int status) {
  assert(status == 0);
  assert(uv_tcp_init(loop, &peer) == 0);
  assert(uv_accept(stream, (uv_stream_t*) &peer) == 0);
  assert(uv_read_start((uv_stream_t*) &peer, on_alloc, on_message) == 0);
}

static void on_connect(uv_connect_t* request, int status) {
  assert(status == 0);
  assert(uv_read_start(request->handle, on_alloc, on_echo) == 0);
  send_byte(request->handle);
}

static void hash_file(uv_work_t* work) {
  (void) work;
  usleep(500);
}

static void on_hashed(uv_work_t* work, int status) {
  (void) work, (void) status;
  done++;
  close_when_done();
}

static void on_async(uv_async_t* handle) {
  uv_close((uv_handle_t*) handle, NULL);
}

static __thread volatile sig_atomic_t in_handler;

static void on_signal(int number) {
  (void) number;
  in_handler = 1;
  uv_async_send(&async);
  in_handler = 0;
}

extern void* __libc_malloc(size_t size);

/* A signal handler must not allocate: it may have interrupted the allocator. */
void* malloc(size_t size) {
  if (in_handler) abort();
  return __libc_malloc(size);
}

static void send_async(void* argument) {
  (void) argument;
  usleep(5000);
  if (strcmp(end, "signal") == 0) raise(SIGUSR1);
  else uv_async_send(&async);
}

/* Sleeps for a time that a signal must not shorten. */
static void sleep_well(void) {
  struct timespec time = {0, 400000000};
  if (nanosleep(&time, NULL) != 0) puts("the sleep was interrupted");
}

/* Computes until the input ends, so that the reader of a report decides how long it takes. */
static void compute(void) {
  struct pollfd input = {0, POLLIN, 0};
  do {
    uint64_t begin = uv_hrtime();
    while (uv_hrtime() - begin < 10000000) {
    }
  } while (poll(&input, 1, 0) == 0);
}

static uv_mutex_t lock;

/* Holds the lock until the input ends. */
static void hold_the_lock(void* locked) {
  uv_mutex_lock(&lock);
  uv_sem_post(locked);
  while (getchar() != EOF) {
  }
  uv_mutex_unlock(&lock);
}

static void wait_for_the_lock(void) {
  uv_thread_t thread;
  uv_sem_t locked;
  uv_mutex_init(&lock);
  uv_sem_init(&locked, 0);
  uv_thread_create(&thread, hold_the_lock, &locked);
  uv_sem_wait(&locked);
  uv_mutex_lock(&lock);
  uv_mutex_unlock(&lock);
  uv_thread_join(&thread);
}

static void block_the_loop(uv_timer_t* handle) {
  (void) handle;
  if (strcmp(end, "stay") == 0) compute();
  else if (strcmp(end, "lock") == 0) wait_for_the_lock();
  else if (strcmp(end, "sleep") == 0) sleep_well();
  else usleep(60000);
  if (strcmp(end, "crash") == 0) raise(SIGSEGV);
  if (strcmp(end, "kill") == 0) raise(SIGKILL);
}

static void tick(uv_timer_t* handle) {
  (void) handle;
  static int ticks;
  if (ticks++ > 0) return;
  printf("ready %d\n", (int) getpid());
  fflush(stdout);
}

int main(int count, char** arguments) {
  if (count > 1) end = arguments[1];
  loop = uv_default_loop();
  signal(SIGUSR1, on_signal);
  // Not inherited: a shell ignores the signal in what it runs in the background.
  signal(SIGINT, strcmp(end, "ignore") == 0 ? SIG_IGN : SIG_DFL);
  if (strcmp(end, "forever") == 0 || strcmp(end, "ignore") == 0) {
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, tick, 1, 1);
    return uv_run(loop, UV_RUN_DEFAULT);
  }
  if (strcmp(end, "idle") == 0) {
    // Only prints, after which the loop waits until the process is killed.
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, tick, 1, 1000000);
    return uv_run(loop, UV_RUN_DEFAULT);
  }
  if (strcmp(end, "fork") == 0 && fork() == 0) uv_loop_fork(loop);
  struct sockaddr_in address;
  int length = sizeof address;
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_tcp_init(loop, &server);
  uv_tcp_init(loop, &client);
  assert(uv_tcp_bind(&server, (struct sockaddr*) &address, 0) == 0);
  assert(uv_listen((uv_stream_t*) &server, 8, on_connection) == 0);
  assert(uv_tcp_getsockname(&server, (struct sockaddr*) &address, &length) == 0);
  uv_tcp_connect(&connecting, &client, (struct sockaddr*) &address, on_connect);
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, block_the_loop, 10, 0);
  for (int i = 0; i < JOBS; i++) uv_queue_work(loop, &jobs[i], hash_file, on_hashed);
  uv_async_init(loop, &async, on_async);
  uv_thread_t thread;
  uv_thread_create(&thread, send_async, NULL);
  uv_loop_configure(loop, UV_METRICS_IDLE_TIME);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_thread_join(&thread);
  uv_metrics_t metrics;
  uv_metrics_info(loop, &metrics);
  printf("%llu iterations, %llu events, %llu waiting, %llu ns idle\n",
         (unsigned long long) metrics.loop_count, (unsigned long long) metrics.events,
         (unsigned long long) metrics.events_waiting,
         (unsigned long long) uv_metrics_idle_time(loop));
  assert(uv_loop_close(loop) == 0);
  fflush(stdout);
  if (strcmp(end, "exec") == 0) execl("/proc/self/exe", arguments[0], NULL);
  if (strcmp(end, "stay") == 0) getchar();
  while (wait(NULL) > 0) {
  }
  return 7;
}
