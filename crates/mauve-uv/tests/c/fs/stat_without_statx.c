/* A sandbox or a file system refuses statx: uv_fs_stat falls back to stat, and the time of creation is that of
 * the last change. */
#include "../test.h"
#include "../seccomp.h"

#include <sys/wait.h>

static void stat_with(int error) {
    uv_fs_t request;
    fail_syscall(SYS_statx, 0, error);
    print("statx: %s", uv_err_name(-error));
    for (int i = 0; i < 2; i++) {
        int result = i == 0 ? uv_fs_stat(NULL, &request, "/", NULL)
                            : uv_fs_lstat(NULL, &request, "/", NULL);
        uv_stat_t *stat = &request.statbuf;
        print("%s mode %o", code(result), (unsigned)stat->st_mode);
        print("created when changed %d", stat->st_birthtim.tv_sec == stat->st_ctim.tv_sec &&
                                             stat->st_birthtim.tv_nsec == stat->st_ctim.tv_nsec);
        uv_fs_req_cleanup(&request);
    }
}

int main(void) {
    static const int errors[] = {EPERM, ENOSYS, EINVAL, EOPNOTSUPP};
    for (size_t i = 0; i < COUNT(errors); i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            stat_with(errors[i]);
            _exit(0);
        }
        assert(waitpid(child, &status, 0) == child && status == 0);
    }
    return 0;
}
