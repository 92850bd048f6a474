/* Starts children: one that prints and exits, one that is killed, and one that does not exist. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

static uv_process_t printer, sleeper, missing;
static uv_pipe_t out;
static char text[256];
static size_t length;

static void alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(text + length, (unsigned)(sizeof(text) - length));
}

static void on_read(uv_stream_t* stream, ssize_t nread, const uv_buf_t* buf) {
  (void)buf;
  if (nread > 0) length += (size_t)nread;
  if (nread < 0) uv_close((uv_handle_t*)stream, NULL);
}

static void on_exit(uv_process_t* process, int64_t status, int signal) {
  printf("%s: exit status %d, signal %d\n", (const char*)process->data, (int)status, signal);
  uv_close((uv_handle_t*)process, NULL);
}

static int spawn(uv_process_t* process, const char* name, char** args, uv_stream_t* output) {
  uv_stdio_container_t stdio[3] = {{.flags = UV_IGNORE}, {.flags = UV_IGNORE}, {.flags = UV_IGNORE}};
  uv_process_options_t options = {.exit_cb = on_exit, .file = args[0], .args = args, .stdio_count = 3, .stdio = stdio};
  if (output != NULL) {
    stdio[1].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE; /* Writable by the child. */
    stdio[1].data.stream = output;
  }
  process->data = (void*)name;
  return uv_spawn(uv_default_loop(), process, &options);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  char* print_args[] = {"sh", "-c", "echo from the child; exit 3", NULL};
  char* sleep_args[] = {"sleep", "1000", NULL};
  char* missing_args[] = {"no-such-program", NULL};

  uv_disable_stdio_inheritance();
  printf("missing: %s\n", uv_err_name(spawn(&missing, "missing", missing_args, NULL)));
  uv_close((uv_handle_t*)&missing, NULL); /* The handle is initialised, also after an error. */

  uv_pipe_init(loop, &out, 0);
  spawn(&printer, "printer", print_args, (uv_stream_t*)&out);
  uv_read_start((uv_stream_t*)&out, alloc, on_read);
  uv_run(loop, UV_RUN_DEFAULT);
  printf("its output: %.*s", (int)length, text);

  spawn(&sleeper, "sleeper", sleep_args, NULL);
  printf("kill returns %d\n", uv_process_kill(&sleeper, SIGTERM));
  uv_run(loop, UV_RUN_DEFAULT);
  return uv_loop_close(loop);
}
