/* Startup cost of a program with the library, and memory per handle. */
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "bench.h"

enum { STARTS = 100, HANDLES = 100000, CONNECTIONS = 1000 };

extern char** environ;

/* The child program: it creates, runs and closes a loop. */
static int child(void) {
  uv_loop_t loop;
  CHECK(uv_loop_init(&loop));
  uv_run(&loop, UV_RUN_DEFAULT);
  CHECK(uv_loop_close(&loop));
  return 0;
}

/* CPU time of child processes over their lifetime. */
static void starts(char* program) {
  char* args[] = {program, "child", NULL};
  double cpu = 0;
  for (int i = 0; i < STARTS; i++) {
    struct rusage usage;
    pid_t pid;
    int status;
    if (posix_spawn(&pid, program, NULL, NULL, args, environ) != 0 ||
        wait4(pid, &status, 0, &usage) != pid || status != 0)
      exit(1);
    cpu += (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e9 +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3;
  }
  report("start of a program with a loop", cpu / STARTS, -1, -1);
}

static void loops(void) {
  enum { LOOPS = 2000 };
  double begin = begin_measuring();
  for (int i = 0; i < LOOPS; i++)
    child();
  result("loop_init, run, loop_close", begin, LOOPS);
}

static void handles(uv_loop_t* loop) {
  double before = own_memory();
  uv_tcp_t* handles = malloc(sizeof(*handles) * HANDLES);
  for (int i = 0; i < HANDLES; i++)
    CHECK(uv_tcp_init(loop, &handles[i]));
  report("bytes of a TCP handle, struct included", (own_memory() - before) / HANDLES, -1, -1);
}

static void on_alloc(uv_handle_t* handle, size_t size, uv_buf_t* buffer) {
  static char bytes[4096];
  (void) handle;
  (void) size;
  *buffer = uv_buf_init(bytes, sizeof(bytes));
}

static void on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
  (void) stream;
  (void) buffer;
  CHECK((int) count);
}

static void connections(uv_loop_t* loop) {
  static uv_tcp_t streams[CONNECTIONS];
  struct rlimit files = {4 * CONNECTIONS, 4 * CONNECTIONS};
  memset(streams, 1, sizeof(streams));
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  double before = own_memory();
  for (int i = 0; i < CONNECTIONS; i++) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) {
      perror("socketpair");
      exit(1);
    }
    CHECK(uv_tcp_init(loop, &streams[i]));
    CHECK(uv_tcp_open(&streams[i], pair[0]));
    CHECK(uv_read_start((uv_stream_t*) &streams[i], on_alloc, on_read));
  }
  uv_run(loop, UV_RUN_NOWAIT);
  /* The structs are static, so their size is added. */
  report("bytes of a connection, struct included",
         (own_memory() - before) / CONNECTIONS + sizeof(uv_tcp_t), -1, -1);
}

int main(int argc, char** argv) {
  if (argc > 1)
    return child();
  starts(argv[0]);
  loops();
  connections(uv_default_loop());
  handles(uv_default_loop());
  return 0;
}
