/* Operations on a cached file, with `depth` requests in flight. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

enum { PAGE = 4096, PAGES = 64 };

typedef struct {
  uv_fs_t fs;
  char bytes[PAGE];
} request;

typedef void start(uv_fs_t* fs);

static char path[] = "/tmp/mauve-bench-XXXXXX";
static int file, left;
static start* start_next;

static void on_done(uv_fs_t* fs) {
  CHECK(fs->result);
  uv_fs_req_cleanup(fs);
  if (left-- > 0)
    start_next(fs);
}

static void start_read(uv_fs_t* fs) {
  uv_buf_t buffer = uv_buf_init(((request*) fs)->bytes, PAGE);
  int64_t offset = (left & (PAGES - 1)) * PAGE;
  CHECK(uv_fs_read(uv_default_loop(), fs, file, &buffer, 1, offset, on_done));
}

static void start_write(uv_fs_t* fs) {
  uv_buf_t buffer = uv_buf_init(((request*) fs)->bytes, PAGE);
  int64_t offset = (left & (PAGES - 1)) * PAGE;
  CHECK(uv_fs_write(uv_default_loop(), fs, file, &buffer, 1, offset, on_done));
}

static void start_stat(uv_fs_t* fs) {
  CHECK(uv_fs_stat(uv_default_loop(), fs, path, on_done));
}

static void start_fstat(uv_fs_t* fs) {
  CHECK(uv_fs_fstat(uv_default_loop(), fs, file, on_done));
}

static void measure(const char* name, start* next, int depth, int count) {
  request* requests = calloc(depth, sizeof(*requests));
  double begin = begin_measuring();
  start_next = next;
  left = count - depth;
  for (int i = 0; i < depth; i++)
    next(&requests[i].fs);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  result(name, begin, count);
  free(requests);
}

int main(void) {
  static char zeros[PAGES * PAGE];
  file = mkstemp(path);
  if (file == -1 || write(file, zeros, sizeof(zeros)) != sizeof(zeros))
    return 1;
  fsync(file);
  measure("(warm-up)", start_read, 4, 1000);
  measure("cached 4 KiB read, depth 1", start_read, 1, 10000);
  measure("cached 4 KiB read, depth 32", start_read, 32, 60000);
  measure("stat, depth 1", start_stat, 1, 10000);
  measure("stat, depth 32", start_stat, 32, 60000);
  measure("fstat, depth 1", start_fstat, 1, 10000);
  measure("4 KiB write, depth 1", start_write, 1, 5000);
  unlink(path);
  return 0;
}
