/* Starts a handle for each phase, and prints the phase of each callback. */
#include <stdio.h>
#include <uv.h>

enum { PENDING, IDLE, PREPARE, POLL, CHECK, CLOSE, TIMERS };
static const char* names[] = {"pending", "idle", "prepare", "poll", "check", "close", "timers"};

static uv_timer_t timer;
static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_async_t async;
static uv_pipe_t pipe_out;
static uv_write_t write_req;
static int iteration;
static int last = TIMERS;

/* The phases have a fixed order, so an earlier phase is a new iteration. */
static void print(int phase, const char* what) {
  if (phase < last) printf("iteration %d\n", ++iteration);
  last = phase;
  printf("  %-8s %s\n", names[phase], what);
}

static void on_close(uv_handle_t* handle) {
  char text[64];
  snprintf(text, sizeof(text), "a closed %s", uv_handle_type_name(uv_handle_get_type(handle)));
  print(CLOSE, text);
}

static void close_handle(uv_handle_t* handle, void* arg) {
  (void)arg;
  if (!uv_is_closing(handle)) uv_close(handle, on_close);
}

static void on_timer(uv_timer_t* handle) {
  (void)handle;
  print(TIMERS, "the timer is due; wakes the async handle");
  uv_async_send(&async);
}

static void on_idle(uv_idle_t* handle) {
  (void)handle;
  print(IDLE, "runs in every iteration");
}

static void on_prepare(uv_prepare_t* handle) {
  (void)handle;
  print(PREPARE, "runs just before the loop may wait");
}

static void on_async(uv_async_t* handle) {
  (void)handle;
  print(POLL, "the wake-up arrives; closes the timer");
  uv_close((uv_handle_t*)&timer, on_close);
}

static void on_write(uv_write_t* req, int status) {
  (void)req;
  print(PENDING, status == 0 ? "the write has completed" : uv_strerror(status));
}

static void on_check(uv_check_t* handle) {
  if (iteration == 1) {
    uv_buf_t buf = uv_buf_init("x", 1);
    print(CHECK, "runs just after; writes to a pipe");
    uv_write(&write_req, (uv_stream_t*)&pipe_out, &buf, 1, on_write);
    return;
  }
  print(CHECK, "closes all handles");
  uv_walk(handle->loop, close_handle, NULL);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  uv_file fds[2];

  uv_pipe(fds, 0, UV_NONBLOCK_PIPE);
  uv_pipe_init(loop, &pipe_out, 0);
  uv_pipe_open(&pipe_out, fds[1]);
  uv_async_init(loop, &async, on_async);
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_timer, 0, 0);
  uv_idle_init(loop, &idle);
  uv_idle_start(&idle, on_idle);
  uv_prepare_init(loop, &prepare);
  uv_prepare_start(&prepare, on_prepare);
  uv_check_init(loop, &check);
  uv_check_start(&check, on_check);

  printf("before the first iteration\n");
  uv_run(loop, UV_RUN_DEFAULT);
  printf("nothing is left to wait for\n");
  return uv_loop_close(loop);
}
