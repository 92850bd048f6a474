/* A program may replace functions of the C library, as fakeroot does. File operations call them. */
#include "../test.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <sys/utsname.h>

#define REPLACE(result, name, parameters, arguments)              \
  result name parameters {                                        \
    result(*original) parameters = dlsym(RTLD_NEXT, #name);       \
    printf("  " #name "\n");                                      \
    return original arguments;                                    \
  }

REPLACE(int, mkdir, (const char *path, mode_t mode), (path, mode))
REPLACE(int, rmdir, (const char *path), (path))
REPLACE(int, rename, (const char *path, const char *to), (path, to))
REPLACE(int, unlink, (const char *path), (path))
REPLACE(int, link, (const char *path, const char *to), (path, to))
REPLACE(int, symlink, (const char *path, const char *to), (path, to))
REPLACE(ssize_t, readlink, (const char *path, char *to, size_t size), (path, to, size))
REPLACE(int, chmod, (const char *path, mode_t mode), (path, mode))
REPLACE(int, fchmod, (int fd, mode_t mode), (fd, mode))
REPLACE(int, chown, (const char *path, uid_t uid, gid_t gid), (path, uid, gid))
REPLACE(int, lchown, (const char *path, uid_t uid, gid_t gid), (path, uid, gid))
REPLACE(int, fchown, (int fd, uid_t uid, gid_t gid), (fd, uid, gid))
REPLACE(int, access, (const char *path, int mode), (path, mode))
REPLACE(char *, mkdtemp, (char *template), (template))
REPLACE(int, utimensat, (int fd, const char *path, const struct timespec times[2], int flags),
        (fd, path, times, flags))
REPLACE(int, futimens, (int fd, const struct timespec times[2]), (fd, times))
REPLACE(int, fsync, (int fd), (fd))
REPLACE(int, fdatasync, (int fd), (fd))
REPLACE(int, chdir, (const char *path), (path))
REPLACE(int, gethostname, (char *name, size_t size), (name, size))
REPLACE(int, uname, (struct utsname * names), (names))
REPLACE(pid_t, getppid, (void), ())
REPLACE(ssize_t, pread64, (int fd, void *bytes, size_t size, off64_t at), (fd, bytes, size, at))
REPLACE(ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t at), (fd, bytes, size, at))

int open64(const char *path, int flags, ...) {
  int (*original)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
  if (strcmp(path, "file") == 0)
    printf("  open64\n");
  return original(path, flags, 0600);
}

#define RUN(name, ...)                                            \
  do {                                                            \
    printf("%s\n", #name);                                        \
    int result = uv_fs_##name(NULL, &request, __VA_ARGS__, NULL); \
    printf("  -> %d\n", result < 0 ? result : 0);                 \
    uv_fs_req_cleanup(&request);                                  \
  } while (0)

int main(void) {
  uv_fs_t request;
  char template[] = "/tmp/mauve-XXXXXX", byte;
  char name[256];
  size_t size = sizeof name;
  uv_utsname_t names;
  uv_buf_t buffer = uv_buf_init(&byte, 1);
  setvbuf(stdout, NULL, _IONBF, 0);

  printf("mkdtemp\n");
  print("%s", code(uv_fs_mkdtemp(NULL, &request, template, NULL)));
  print("%s", code(uv_chdir(request.path)));
  uv_fs_req_cleanup(&request);
  printf("open\n");
  int file = uv_fs_open(NULL, &request, "file", UV_FS_O_CREAT | UV_FS_O_RDWR, 0600, NULL);
  uv_fs_req_cleanup(&request);
  RUN(write, file, &buffer, 1, 0);
  RUN(read, file, &buffer, 1, 0);
  RUN(fchmod, file, 0640);
  RUN(fchown, file, -1, -1);
  RUN(futime, file, 1, 1);
  RUN(fsync, file);
  RUN(fdatasync, file);
  close(file);
  RUN(chmod, "file", 0600);
  RUN(chown, "file", -1, -1);
  RUN(lchown, "file", -1, -1);
  RUN(access, "file", R_OK);
  RUN(access, "file", 0x100);
  RUN(utime, "file", 1, 1);
  RUN(link, "file", "second");
  RUN(symlink, "file", "symbolic", 0);
  RUN(readlink, "symbolic");
  RUN(rename, "second", "third");
  RUN(mkdir, "directory", 0700);
  RUN(mkdir, "directory", 0700);
  RUN(rmdir, "directory");
  RUN(unlink, "third");
  RUN(unlink, "symbolic");
  RUN(unlink, "file");
  RUN(unlink, "file");
  printf("os\n");
  print("%s", code(uv_os_gethostname(name, &size)));
  print("%s", code(uv_os_uname(&names)));
  printf("parent %d\n", uv_os_getppid() == getppid());
  char path[PATH_MAX];
  if (getcwd(path, sizeof path) != NULL)
    RUN(rmdir, path);
  return 0;
}
