/* A loop without descriptors, which parks on a futex, with an async handle that keeps it alive.
 *
 * Without an argument it also has a timer. With the argument `toggle` a timer starts and stops a poll
 * handle every millisecond. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

static uv_poll_t poll;
static int ends[2];

static void on_async(uv_async_t* handle) {
  (void) handle;
}

static void on_poll(uv_poll_t* handle, int status, int events) {
  (void) handle;
  (void) status;
  (void) events;
}

static void on_timer(uv_timer_t* timer) {
  (void) timer;
}

/* Prints the loop's address when the loop runs. */
static void on_first(uv_idle_t* first) {
  printf("ready %p\n", (void*) first->loop);
  fflush(stdout);
  uv_close((uv_handle_t*) first, NULL);
}

/* Starts or stops the poll handle. */
static void on_toggle(uv_timer_t* timer) {
  (void) timer;
  if (uv_is_active((uv_handle_t*) &poll))
    uv_poll_stop(&poll);
  else
    uv_poll_start(&poll, UV_READABLE, on_poll);
}

int main(int argc, char** argv) {
  int toggle = argc > 1 && strcmp(argv[1], "toggle") == 0;
  uv_loop_t* loop = uv_default_loop();
  uv_async_t async;
  uv_timer_t timer;
  uv_idle_t first;
  if (pipe(ends) != 0)
    return 1;
  uv_async_init(loop, &async, on_async);
  uv_timer_init(loop, &timer);
  uv_poll_init(loop, &poll, ends[0]);
  if (toggle)
    uv_timer_start(&timer, on_toggle, 0, 1);
  else if (argc == 1)
    uv_timer_start(&timer, on_timer, 300000, 0);
  uv_idle_init(loop, &first);
  uv_idle_start(&first, on_first);
  return uv_run(loop, UV_RUN_DEFAULT);
}
