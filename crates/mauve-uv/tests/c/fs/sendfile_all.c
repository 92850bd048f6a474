/* `uv_fs_sendfile` sends everything to a pipe or socket, also to one that is non-blocking. */
#include "../test.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#define SIZE (10 << 20)

struct reader {
  int fd;
  size_t limit, total;
};

static void *drain(void *data) {
  struct reader *reader = data;
  static char bytes[65536];
  ssize_t count;
  while (reader->total < reader->limit && (count = read(reader->fd, bytes, sizeof bytes)) > 0)
    reader->total += count;
  close(reader->fd);
  return NULL;
}

static void send_file(const char *name, int from, int ends[2], size_t limit, int64_t offset, size_t size) {
  struct reader reader = {ends[0], limit, 0};
  pthread_t thread;
  uv_fs_t request;
  pthread_create(&thread, NULL, drain, &reader);
  int sent = uv_fs_sendfile(NULL, &request, ends[1], from, offset, size, NULL);
  uv_fs_req_cleanup(&request);
  close(ends[1]);
  pthread_join(thread, NULL);
  printf("%s: %d, position %d, received %s\n", name, sent, (int) lseek(from, 0, SEEK_CUR),
         sent >= 0 && reader.total == (size_t) sent ? "as many" : "other");
}

int main(void) {
  int ends[2];
  FILE *file = tmpfile();
  int from = fileno(file);
  signal(SIGPIPE, SIG_IGN);
  if (ftruncate(from, SIZE) != 0)
    return 1;

  pipe(ends);
  send_file("pipe", from, ends, -1, 0, SIZE);
  pipe(ends);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  send_file("non-blocking pipe", from, ends, -1, 0, SIZE);
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  send_file("socket", from, ends, -1, 0, SIZE);
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  send_file("non-blocking socket", from, ends, -1, 0, SIZE);
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  send_file("more than the file has", from, ends, -1, 1000, 2 * SIZE);
  pipe(ends);
  send_file("a reader that closes early", from, ends, SIZE / 10, 0, SIZE);
  pipe(ends);
  send_file("from the end on", from, ends, -1, SIZE, 5);
  pipe(ends);
  send_file("negative offset", from, ends, -1, -1, 5);
  pipe(ends);
  send_file("nothing", from, ends, -1, 0, 0);
  fclose(file);
  return 0;
}
