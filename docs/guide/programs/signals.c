/* Each signal reaches each handle that watches it. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <uv.h>

static uv_signal_t every, once;
static int count;

static void on_once(uv_signal_t* handle, int signum) {
  (void)handle;
  printf("the one-shot handle: %s\n", signum == SIGUSR1 ? "SIGUSR1" : "another signal");
}

static void on_every(uv_signal_t* handle, int signum) {
  printf("signal %d: %s\n", ++count, signum == SIGUSR1 ? "SIGUSR1" : "another signal");
  if (count == 1) uv_kill(getpid(), SIGUSR1); /* Received in a later poll phase. */
  if (count < 2) return;
  uv_close((uv_handle_t*)handle, NULL);
  printf("the one-shot handle is %s\n", uv_is_active((uv_handle_t*)&once) ? "active" : "stopped");
  uv_close((uv_handle_t*)&once, NULL);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();

  uv_signal_init(loop, &once);
  uv_signal_start_oneshot(&once, on_once, SIGUSR1);
  uv_signal_init(loop, &every);
  printf("SIGKILL cannot be watched: %s\n", uv_err_name(uv_signal_start(&every, on_every, SIGKILL)));
  uv_signal_start(&every, on_every, SIGUSR1);
  uv_kill(getpid(), SIGUSR1);
  printf("the signal is sent, no callback has run\n");
  uv_run(loop, UV_RUN_DEFAULT);
  return uv_loop_close(loop);
}
