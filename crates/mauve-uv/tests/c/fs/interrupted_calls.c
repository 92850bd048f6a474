/* Calls that a signal interrupts, as on network file systems, are repeated. An interrupted close has closed the
 * descriptor. */
#include "fs/temp_dir.h"

#include "../seccomp.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

static int error;

static int fails(void) {
    if (!error) return 0;
    errno = error;
    error = 0;
    return 1;
}

char *realpath(const char *path, char *resolved) {
    char *(*original)(const char *, char *) = dlvsym(RTLD_NEXT, "realpath", "GLIBC_2.3");
    return fails() ? NULL : original(path, resolved);
}

DIR *opendir(const char *path) {
    DIR *(*original)(const char *) = dlsym(RTLD_NEXT, "opendir");
    return fails() ? NULL : original(path);
}

int mkdir(const char *path, mode_t mode) {
    int (*original)(const char *, mode_t) = dlsym(RTLD_NEXT, "mkdir");
    return fails() ? -1 : original(path, mode);
}

static void close_with(int code_of_close) {
    uv_fs_t request;
    fail_syscall(SYS_close, 0, code_of_close);
    print("close %s", code(uv_fs_close(NULL, &request, 0, NULL)));
}

int main(void) {
    uv_fs_t request;
    uv_dirent_t entries[4];
    enter_temp_dir();
    error = EINTR;
    print("mkdir %s", code(uv_fs_mkdir(NULL, &request, "directory", 0700, NULL)));
    uv_fs_req_cleanup(&request);
    error = EINTR;
    print("realpath %s", code(uv_fs_realpath(NULL, &request, "directory", NULL)));
    uv_fs_req_cleanup(&request);
    error = EINTR;
    print("opendir %s", code(uv_fs_opendir(NULL, &request, ".", NULL)));
    uv_dir_t *directory = request.ptr;
    uv_fs_req_cleanup(&request);
    directory->dirents = entries;
    directory->nentries = COUNT(entries);
    print("readdir %d", uv_fs_readdir(NULL, &request, directory, NULL));
    uv_fs_req_cleanup(&request);
    print("closedir %s", code(uv_fs_closedir(NULL, &request, directory, NULL)));
    uv_fs_req_cleanup(&request);
    int errors[] = {EINTR, EINPROGRESS, EIO};
    for (size_t i = 0; i < COUNT(errors); i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            close_with(errors[i]);
            _exit(0);
        }
        assert(waitpid(child, &status, 0) == child && status == 0);
    }
    return 0;
}
