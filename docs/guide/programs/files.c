/* Writes a file and reads it back, one request after the other. */
#include <fcntl.h>
#include <stdio.h>
#include <uv.h>

static uv_loop_t* loop;
static uv_fs_t req;
static uv_file file;
static char text[64];
static uv_prepare_t prepare;
static int iteration, last_iteration, steps;

/* Each callback runs in an iteration of its own. */
static void print(const char* what) {
  steps++;
  printf("%d: %s%s\n", steps, what, iteration == last_iteration ? ", in the same iteration" : "");
  last_iteration = iteration;
}

static void on_prepare(uv_prepare_t* handle) {
  (void)handle;
  iteration++;
}

static void on_missing(uv_fs_t* r) {
  char message[64];
  snprintf(message, sizeof(message), "opening a missing file fails: %s", uv_err_name((int)r->result));
  print(message);
  uv_fs_req_cleanup(r);
}

static void on_close(uv_fs_t* r) {
  print("closed");
  uv_fs_req_cleanup(r);
  uv_fs_open(loop, &req, "missing", O_RDONLY, 0, on_missing);
}

static void on_read(uv_fs_t* r) {
  char message[128];
  snprintf(message, sizeof(message), "read %d bytes: %.*s", (int)r->result, (int)r->result, text);
  print(message);
  uv_fs_req_cleanup(r);
  uv_fs_close(loop, &req, file, on_close);
}

static void on_stat(uv_fs_t* r) {
  char message[64];
  uv_buf_t buf = uv_buf_init(text, sizeof(text));
  snprintf(message, sizeof(message), "its size is %d", (int)r->statbuf.st_size);
  print(message);
  uv_fs_req_cleanup(r);
  uv_fs_read(loop, &req, file, &buf, 1, 0, on_read);
}

static void on_write(uv_fs_t* r) {
  char message[64];
  snprintf(message, sizeof(message), "wrote %d bytes", (int)r->result);
  print(message);
  uv_fs_req_cleanup(r);
  uv_fs_fstat(loop, &req, file, on_stat);
}

static void on_open(uv_fs_t* r) {
  uv_buf_t buf = uv_buf_init("hello, file", 11);
  print(r->result >= 0 ? "opened" : uv_strerror((int)r->result));
  file = (uv_file)r->result;
  uv_fs_req_cleanup(r);
  uv_fs_write(loop, &req, file, &buf, 1, 0, on_write);
}

int main(void) {
  uv_fs_t sync;

  loop = uv_default_loop();
  uv_prepare_init(loop, &prepare);
  uv_prepare_start(&prepare, on_prepare);
  uv_unref((uv_handle_t*)&prepare);
  uv_fs_open(loop, &req, "hello.txt", O_RDWR | O_CREAT | O_TRUNC, 0644, on_open);
  printf("nothing has happened yet\n");
  uv_run(loop, UV_RUN_DEFAULT);

  /* Without a callback the call blocks and returns the result. */
  printf("unlink returns %d\n", uv_fs_unlink(NULL, &sync, "hello.txt", NULL));
  uv_fs_req_cleanup(&sync);
  uv_close((uv_handle_t*)&prepare, NULL);
  uv_run(loop, UV_RUN_DEFAULT);
  return uv_loop_close(loop);
}
