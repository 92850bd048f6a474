/* Whole files: small ones by open, read and close, and a large one. They are in /dev/shm if it
 * has room, so that no disk is measured. Also name lookups. */
#include <fcntl.h>
#include <sys/statvfs.h>

#include "bench.h"

enum { SMALL = 1024, SMALL_FILES = 64, CHUNK = 1 << 20 };

static uv_loop_t* loop;
static char directory[64];
static char paths[SMALL_FILES][96];
static int left;

typedef struct {
  uv_fs_t fs;
  uv_file file;
  char bytes[SMALL];
} reader;

static void start_reading(reader* reader);

static void on_closed(uv_fs_t* fs) {
  CHECK((int) fs->result);
  uv_fs_req_cleanup(fs);
  if (left-- > 0)
    start_reading((reader*) fs);
}

static void on_read(uv_fs_t* fs) {
  if (fs->result != SMALL)
    abort();
  uv_fs_req_cleanup(fs);
  CHECK(uv_fs_close(loop, fs, ((reader*) fs)->file, on_closed));
}

static void on_opened(uv_fs_t* fs) {
  reader* this = (reader*) fs;
  CHECK((int) fs->result);
  this->file = fs->result;
  uv_fs_req_cleanup(fs);
  uv_buf_t buffer = uv_buf_init(this->bytes, SMALL);
  CHECK(uv_fs_read(loop, fs, this->file, &buffer, 1, 0, on_read));
}

static void start_reading(reader* reader) {
  CHECK(uv_fs_open(loop, &reader->fs, paths[left & (SMALL_FILES - 1)], O_RDONLY, 0, on_opened));
}

static void small_files(const char* name, int depth, int count) {
  reader* readers = calloc(depth, sizeof(*readers));
  left = count - depth;
  double begin = begin_measuring();
  for (int i = 0; i < depth; i++)
    start_reading(&readers[i]);
  uv_run(loop, UV_RUN_DEFAULT);
  result(name, begin, count);
  free(readers);
}

static int64_t large_left;
static uv_file large;
static char* chunk;

static void on_chunk(uv_fs_t* fs) {
  CHECK((int) fs->result);
  large_left -= fs->result;
  uv_fs_req_cleanup(fs);
  uv_buf_t buffer = uv_buf_init(chunk, CHUNK);
  if (large_left > 0)
    CHECK(uv_fs_read(loop, fs, large, &buffer, 1, -1, on_chunk));
}

static void on_copied(uv_fs_t* fs) {
  CHECK((int) fs->result);
  uv_fs_req_cleanup(fs);
}

static void large_file(int64_t size) {
  char path[96], copy[96];
  uv_fs_t fs;
  snprintf(path, sizeof(path), "%s/large", directory);
  snprintf(copy, sizeof(copy), "%s/copy", directory);
  large = open(path, O_RDWR | O_CREAT, 0600);
  if (large < 0 || ftruncate(large, size)) {
    perror(path);
    exit(1);
  }
  chunk = malloc(CHUNK);
  large_left = size;
  uv_buf_t buffer = uv_buf_init(chunk, CHUNK);
  double begin = begin_measuring();
  CHECK(uv_fs_read(loop, &fs, large, &buffer, 1, 0, on_chunk));
  if (lseek(large, 0, SEEK_SET) != 0)
    abort();
  uv_run(loop, UV_RUN_DEFAULT);
  result("read of a large file, each MiB", begin, size / CHUNK);
  begin = begin_measuring();
  CHECK(uv_fs_copyfile(loop, &fs, path, copy, 0, on_copied));
  uv_run(loop, UV_RUN_DEFAULT);
  result("copy of a large file, each MiB", begin, size / CHUNK);
  unlink(path);
  unlink(copy);
}

static void on_addresses(uv_getaddrinfo_t* req, int status, struct addrinfo* addresses) {
  CHECK(status);
  uv_freeaddrinfo(addresses);
  if (left-- > 0)
    CHECK(uv_getaddrinfo(loop, req, on_addresses, "localhost", NULL, NULL));
}

static void lookups(int count) {
  uv_getaddrinfo_t req;
  left = count - 1;
  double begin = begin_measuring();
  CHECK(uv_getaddrinfo(loop, &req, on_addresses, "localhost", NULL, NULL));
  uv_run(loop, UV_RUN_DEFAULT);
  result("getaddrinfo of localhost", begin, count);
}

int main(void) {
  static char bytes[SMALL];
  struct statvfs memory;
  int64_t size = 64 << 20;
  loop = uv_default_loop();
  strcpy(directory, "/tmp/mauve-bench-XXXXXX");
  if (statvfs("/dev/shm", &memory) == 0 && memory.f_bavail * memory.f_frsize > 1ull << 30) {
    strcpy(directory, "/dev/shm/mauve-bench-XXXXXX");
    size = 256 << 20;
  }
  if (mkdtemp(directory) == NULL)
    return 1;
  for (int i = 0; i < SMALL_FILES; i++) {
    snprintf(paths[i], sizeof(paths[i]), "%s/%d", directory, i);
    int file = open(paths[i], O_WRONLY | O_CREAT, 0600);
    if (file < 0 || write(file, bytes, SMALL) != SMALL || close(file))
      return 1;
  }
  small_files("(warm-up)", 4, 1000);
  small_files("open, read, close, depth 1", 1, 5000);
  small_files("open, read, close, depth 32", 32, 20000);
  for (int i = 0; i < SMALL_FILES; i++)
    unlink(paths[i]);
  lookups(2000);
  large_file(size);
  rmdir(directory);
  return 0;
}
