/* Spawning programs from a small process, and from one with 1 GiB of resident memory. */
#include <sys/mman.h>
#include <sys/resource.h>

#include "bench.h"

static uv_process_t process;
static uv_process_options_t options;
static int left;

static void spawn_next(void);

static void on_close(uv_handle_t* handle) {
  (void) handle;
  if (--left > 0)
    spawn_next();
}

static void on_child_exit(uv_process_t* child, int64_t status, int signal) {
  if (status != 0 || signal != 0)
    abort();
  uv_close((uv_handle_t*) child, on_close);
}

static void spawn_next(void) {
  CHECK(uv_spawn(uv_default_loop(), &process, &options));
}

/* CPU time of this process, without that of the children. */
static void measure(const char* name, int count) {
  left = count;
  double begin = begin_measuring();
  spawn_next();
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  result(name, begin, count);
}

int main(void) {
  char* args[] = {"true", NULL};
  size_t size = 1ul << 30;
  options.file = "true";
  options.args = args;
  options.exit_cb = on_child_exit;
  measure("(warm-up)", 10);
  measure("spawn of true", 100);
  char* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return 1;
  memset(memory, 1, size);
  /* Refill the caches that the memset has evicted. */
  measure("(warm-up)", 20);
  measure("spawn of true from 1 GiB", 40);
  return 0;
}
