/* needs: 1.53 */
/* uv_pipe_chmod changes the permissions of the descriptor, too: those of a named pipe are its file's. It
 * calls libc's functions, which programs replace. */
#include "test.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

static int of_descriptors, of_files;

int fchmod(int fd, mode_t mode) {
    int (*original)(int, mode_t) = dlsym(RTLD_NEXT, "fchmod");
    of_descriptors++;
    return original(fd, mode);
}

int chmod(const char *path, mode_t mode) {
    int (*original)(const char *, mode_t) = dlsym(RTLD_NEXT, "chmod");
    of_files++;
    return original(path, mode);
}

static void change(const char *name, uv_pipe_t *handle, int mode) {
    struct stat status;
    uv_os_fd_t fd;
    int result = uv_pipe_chmod(handle, mode);
    if (uv_fileno((uv_handle_t *)handle, &fd) == 0 && fstat(fd, &status) == 0)
        print("%s: %s, %o", name, code(result), (unsigned)status.st_mode & 0777);
    else
        print("%s: %s", name, code(result));
}

int main(void) {
    char folder[] = "/tmp/mauve-chmod-XXXXXX";
    uv_pipe_t handles[5];
    uv_loop_t loop;
    struct stat status;
    int ends[2];

    assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    assert(uv_loop_init(&loop) == 0);
    for (size_t i = 0; i < COUNT(handles); i++) uv_pipe_init(&loop, &handles[i], 0);

    change("unopened", &handles[0], UV_READABLE);

    assert(uv_pipe_bind(&handles[1], "socket") == 0);
    change("bound", &handles[1], UV_READABLE);
    change("bound", &handles[1], UV_READABLE | UV_WRITABLE);
    change("wrong mode", &handles[1], 4);
    assert(unlink("socket") == 0);
    change("removed", &handles[1], UV_WRITABLE);

    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(uv_pipe_open(&handles[2], ends[0]) == 0);
    change("without a name", &handles[2], UV_WRITABLE);

    assert(mkfifo("named", 0600) == 0);
    assert(uv_pipe_open(&handles[3], open("named", O_RDWR)) == 0);
    change("named pipe", &handles[3], UV_READABLE | UV_WRITABLE);
    assert(stat("named", &status) == 0);
    print("its file: %o", (unsigned)status.st_mode & 0777);
    assert(unlink("named") == 0);

    print("calls: fchmod %d, chmod %d", of_descriptors, of_files);
    for (size_t i = 0; i < COUNT(handles); i++) uv_close((uv_handle_t *)&handles[i], NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close %s", code(uv_loop_close(&loop)));
    assert(chdir("/") == 0 && rmdir(folder) == 0);
    return 0;
}
