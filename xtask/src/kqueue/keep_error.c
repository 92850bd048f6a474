/* Loaded into the tests with libkqueue.
 *
 * A kernel's kqueue reports the pending error of a socket and leaves it there. libkqueue reads it with
 * SO_ERROR, which clears it: the program then sees a connection without an error. Here libkqueue gets
 * an error number of its own instead, and the socket keeps its error. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_libkqueue(void *address) {
  Dl_info info;
  return dladdr(address, &info) != 0 && info.dli_fname != NULL &&
         strstr(info.dli_fname, "libkqueue") != NULL;
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *length) {
  if (level == SOL_SOCKET && name == SO_ERROR && is_libkqueue(__builtin_return_address(0))) {
    *(int *) value = EIO;
    return 0;
  }
  return (int) syscall(SYS_getsockopt, fd, level, name, value, length);
}
