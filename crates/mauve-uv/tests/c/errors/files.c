/* errors: of files and of handles that watch them */
#include "errors.h"

#include <sys/wait.h>

static uv_fs_t request;

/* Runs a call with `request`, without a callback, and cleans up. */
#define NOW(call)                                                                                \
    ({                                                                                           \
        ssize_t now_result = (call);                                                             \
        uv_fs_req_cleanup(&request);                                                             \
        now_result;                                                                              \
    })

static int regular;

static void paths(void) {
    FAILS(uv_fs_open, UV_ENOENT, NOW(uv_fs_open(NULL, &request, "missing", O_RDONLY, 0, NULL)));
    FAILS(uv_fs_open, UV_EISDIR, NOW(uv_fs_open(NULL, &request, ".", O_WRONLY, 0, NULL)));
    FAILS(uv_fs_open, UV_EEXIST,
          NOW(uv_fs_open(NULL, &request, "regular", O_CREAT | O_EXCL, 0600, NULL)));
    FAILS(uv_fs_unlink, UV_ENOENT, NOW(uv_fs_unlink(NULL, &request, "missing", NULL)));
    FAILS(uv_fs_unlink, UV_EISDIR, NOW(uv_fs_unlink(NULL, &request, "folder", NULL)));
    FAILS(uv_fs_mkdir, UV_EEXIST, NOW(uv_fs_mkdir(NULL, &request, "folder", 0700, NULL)));
    FAILS(uv_fs_mkdir, UV_ENOENT, NOW(uv_fs_mkdir(NULL, &request, "missing/a", 0700, NULL)));
    FAILS(uv_fs_mkdtemp, UV_EINVAL, NOW(uv_fs_mkdtemp(NULL, &request, "name", NULL)));
    FAILS(uv_fs_mkdtemp, UV_ENOENT, NOW(uv_fs_mkdtemp(NULL, &request, "missing/XXXXXX", NULL)));
    FAILS(uv_fs_mkstemp, UV_EINVAL, NOW(uv_fs_mkstemp(NULL, &request, "name", NULL)));
    FAILS(uv_fs_mkstemp, UV_ENOENT, NOW(uv_fs_mkstemp(NULL, &request, "missing/XXXXXX", NULL)));
    FAILS(uv_fs_rmdir, UV_ENOENT, NOW(uv_fs_rmdir(NULL, &request, "missing", NULL)));
    FAILS(uv_fs_rmdir, UV_ENOTDIR, NOW(uv_fs_rmdir(NULL, &request, "regular", NULL)));
    FAILS(uv_fs_rmdir, UV_ENOTEMPTY, NOW(uv_fs_rmdir(NULL, &request, "folder", NULL)));
    FAILS(uv_fs_opendir, UV_ENOENT, NOW(uv_fs_opendir(NULL, &request, "missing", NULL)));
    FAILS(uv_fs_opendir, UV_ENOTDIR, NOW(uv_fs_opendir(NULL, &request, "regular", NULL)));
    FAILS(uv_fs_scandir, UV_ENOENT, NOW(uv_fs_scandir(NULL, &request, "missing", 0, NULL)));
    FAILS(uv_fs_scandir, UV_ENOTDIR, NOW(uv_fs_scandir(NULL, &request, "regular", 0, NULL)));
    uv_dirent_t entry;
    OK(uv_fs_scandir(NULL, &request, "folder/empty", 0, NULL));
    FAILS(uv_fs_scandir_next, UV_EOF, uv_fs_scandir_next(&request, &entry));
    uv_fs_req_cleanup(&request);
    FAILS(uv_fs_readdir, UV_EINVAL, uv_fs_readdir(NULL, &request, NULL, NULL));
    OK(uv_fs_opendir(NULL, &request, "folder", NULL));
    uv_dir_t *dir = request.ptr;
    uv_fs_req_cleanup(&request);
    dir->dirents = NULL;
    FAILS(uv_fs_readdir, UV_EINVAL, uv_fs_readdir(NULL, &request, dir, NULL));
    OK(NOW(uv_fs_closedir(NULL, &request, dir, NULL)));
    FAILS(uv_fs_closedir, UV_EINVAL, uv_fs_closedir(NULL, &request, NULL, NULL));
    FAILS(uv_fs_stat, UV_ENOENT, NOW(uv_fs_stat(NULL, &request, "missing", NULL)));
    FAILS(uv_fs_stat, UV_ENOTDIR, NOW(uv_fs_stat(NULL, &request, "regular/a", NULL)));
    FAILS(uv_fs_lstat, UV_ENOENT, NOW(uv_fs_lstat(NULL, &request, "missing", NULL)));
    FAILS(uv_fs_lstat, UV_ENOTDIR, NOW(uv_fs_lstat(NULL, &request, "regular/a", NULL)));
    FAILS(uv_fs_statfs, UV_ENOENT, NOW(uv_fs_statfs(NULL, &request, "missing", NULL)));
    FAILS(uv_fs_rename, UV_ENOENT, NOW(uv_fs_rename(NULL, &request, "missing", "new", NULL)));
    FAILS(uv_fs_rename, UV_ENOTEMPTY, NOW(uv_fs_rename(NULL, &request, "other", "folder", NULL)));
    FAILS(uv_fs_rename, UV_EXDEV, NOW(uv_fs_rename(NULL, &request, "second", "/proc/new", NULL)));
    FAILS(uv_fs_access, UV_ENOENT, NOW(uv_fs_access(NULL, &request, "missing", F_OK, NULL)));
    /* Not even root may execute a file without the permission. */
    FAILS(uv_fs_access, UV_EACCES, NOW(uv_fs_access(NULL, &request, "regular", X_OK, NULL)));
    FAILS(uv_fs_chmod, UV_ENOENT, NOW(uv_fs_chmod(NULL, &request, "missing", 0600, NULL)));
    FAILS(uv_fs_utime, UV_ENOENT, NOW(uv_fs_utime(NULL, &request, "missing", 1, 1, NULL)));
    FAILS(uv_fs_lutime, UV_ENOENT, NOW(uv_fs_lutime(NULL, &request, "missing", 1, 1, NULL)));
    FAILS(uv_fs_link, UV_ENOENT, NOW(uv_fs_link(NULL, &request, "missing", "new", NULL)));
    FAILS(uv_fs_link, UV_EEXIST, NOW(uv_fs_link(NULL, &request, "regular", "folder", NULL)));
    FAILS(uv_fs_link, UV_EPERM, NOW(uv_fs_link(NULL, &request, "folder", "new", NULL)));
    FAILS(uv_fs_link, UV_EXDEV, NOW(uv_fs_link(NULL, &request, "/proc/version", "new", NULL)));
    FAILS(uv_fs_symlink, UV_EEXIST, NOW(uv_fs_symlink(NULL, &request, "a", "regular", 0, NULL)));
    FAILS(uv_fs_symlink, UV_ENOENT, NOW(uv_fs_symlink(NULL, &request, "a", "missing/a", 0, NULL)));
    FAILS(uv_fs_readlink, UV_EINVAL, NOW(uv_fs_readlink(NULL, &request, "regular", NULL)));
    FAILS(uv_fs_readlink, UV_ENOENT, NOW(uv_fs_readlink(NULL, &request, "missing", NULL)));
    FAILS(uv_fs_realpath, UV_ENOENT, NOW(uv_fs_realpath(NULL, &request, "missing", NULL)));
    OK(symlink("circle", "circle"));
    FAILS(uv_fs_realpath, UV_ELOOP, NOW(uv_fs_realpath(NULL, &request, "circle", NULL)));
    FAILS(uv_fs_chown, UV_ENOENT, NOW(uv_fs_chown(NULL, &request, "missing", -1, -1, NULL)));
    FAILS(uv_fs_lchown, UV_ENOENT, NOW(uv_fs_lchown(NULL, &request, "missing", -1, -1, NULL)));
    FAILS(uv_fs_copyfile, UV_EINVAL,
          NOW(uv_fs_copyfile(NULL, &request, "regular", "new", 99, NULL)));
    FAILS(uv_fs_copyfile, UV_ENOENT,
          NOW(uv_fs_copyfile(NULL, &request, "missing", "new", 0, NULL)));
    FAILS(uv_fs_copyfile, UV_EEXIST,
          NOW(uv_fs_copyfile(NULL, &request, "regular", "second", UV_FS_COPYFILE_EXCL, NULL)));
}

static void descriptors(void) {
    static char bytes[4];
    uv_buf_t buffer = uv_buf_init(bytes, sizeof bytes);
    int folder = open(".", O_RDONLY), ends[2];
    int full = open("/dev/full", O_WRONLY);
    OK(full);
    OK(pipe(ends));
    int closed = closed_descriptor();
    FAILS(uv_fs_close, UV_EBADF, NOW(uv_fs_close(NULL, &request, closed, NULL)));
    FAILS(uv_fs_read, UV_EINVAL, uv_fs_read(NULL, &request, regular, NULL, 1, 0, NULL));
    FAILS(uv_fs_read, UV_EINVAL, uv_fs_read(NULL, &request, regular, &buffer, 0, 0, NULL));
    FAILS(uv_fs_read, UV_EBADF, NOW(uv_fs_read(NULL, &request, closed, &buffer, 1, 0, NULL)));
    FAILS(uv_fs_read, UV_EISDIR, NOW(uv_fs_read(NULL, &request, folder, &buffer, 1, 0, NULL)));
    int memory = open("/proc/self/mem", O_RDONLY);
    FAILS(uv_fs_read, UV_EIO, NOW(uv_fs_read(NULL, &request, memory, &buffer, 1, 0, NULL)));
    closed = closed_descriptor();
    FAILS(uv_fs_write, UV_EINVAL, uv_fs_write(NULL, &request, regular, NULL, 1, 0, NULL));
    FAILS(uv_fs_write, UV_EINVAL, uv_fs_write(NULL, &request, regular, &buffer, 0, 0, NULL));
    FAILS(uv_fs_write, UV_EBADF, NOW(uv_fs_write(NULL, &request, folder, &buffer, 1, 0, NULL)));
    FAILS(uv_fs_write, UV_ENOSPC, NOW(uv_fs_write(NULL, &request, full, &buffer, 1, -1, NULL)));
    close(ends[0]);
    closed = ends[0];
    FAILS(uv_fs_write, UV_EPIPE, NOW(uv_fs_write(NULL, &request, ends[1], &buffer, 1, -1, NULL)));
    FAILS(uv_fs_fstat, UV_EBADF, NOW(uv_fs_fstat(NULL, &request, closed, NULL)));
    FAILS(uv_fs_fsync, UV_EBADF, NOW(uv_fs_fsync(NULL, &request, closed, NULL)));
    FAILS(uv_fs_fsync, UV_EINVAL, NOW(uv_fs_fsync(NULL, &request, ends[1], NULL)));
    FAILS(uv_fs_fdatasync, UV_EBADF, NOW(uv_fs_fdatasync(NULL, &request, closed, NULL)));
    FAILS(uv_fs_fdatasync, UV_EINVAL, NOW(uv_fs_fdatasync(NULL, &request, ends[1], NULL)));
    FAILS(uv_fs_ftruncate, UV_EBADF, NOW(uv_fs_ftruncate(NULL, &request, closed, 1, NULL)));
    FAILS(uv_fs_ftruncate, UV_EINVAL, NOW(uv_fs_ftruncate(NULL, &request, regular, -1, NULL)));
    FAILS(uv_fs_sendfile, UV_EBADF,
          NOW(uv_fs_sendfile(NULL, &request, closed, regular, 0, 1, NULL)));
    FAILS(uv_fs_fchmod, UV_EBADF, NOW(uv_fs_fchmod(NULL, &request, closed, 0600, NULL)));
    FAILS(uv_fs_futime, UV_EBADF, NOW(uv_fs_futime(NULL, &request, closed, 1, 1, NULL)));
    FAILS(uv_fs_fchown, UV_EBADF, NOW(uv_fs_fchown(NULL, &request, closed, -1, -1, NULL)));
    struct rlimit limit, none;
    OK(getrlimit(RLIMIT_NOFILE, &limit));
    none = limit;
    none.rlim_cur = 0;
    OK(setrlimit(RLIMIT_NOFILE, &none));
    FAILS(uv_fs_open, UV_EMFILE, NOW(uv_fs_open(NULL, &request, "regular", O_RDONLY, 0, NULL)));
    uv_loop_t other;
    FAILS(uv_loop_init, UV_EMFILE, uv_loop_init(&other));
    OK(setrlimit(RLIMIT_NOFILE, &limit));
}

static void on_event(uv_fs_event_t *handle, const char *name, int events, int status) {
    (void)handle, (void)name, (void)events, (void)status;
}

static void on_poll(uv_fs_poll_t *handle, int status, const uv_stat_t *before,
                    const uv_stat_t *after) {
    (void)before, (void)after;
    got = status;
    uv_fs_poll_stop(handle);
}

static void watching(void) {
    static uv_fs_event_t event;
    static uv_fs_poll_t poll;
    char path[64];
    size_t size = sizeof path;
    OK(uv_fs_event_init(loop, &event));
    FAILS(uv_fs_event_getpath, UV_EINVAL, uv_fs_event_getpath(&event, path, &size));
    FAILS(uv_fs_event_start, UV_ENOENT, uv_fs_event_start(&event, on_event, "missing", 0));
    OK(uv_fs_event_start(&event, on_event, "regular", 0));
    FAILS(uv_fs_event_start, UV_EINVAL, uv_fs_event_start(&event, on_event, "regular", 0));
    size = 2;
    FAILS(uv_fs_event_getpath, UV_ENOBUFS, uv_fs_event_getpath(&event, path, &size));
    /* A child cannot watch a file again that is gone. */
    OK(unlink("regular"));
    int status;
    if (fork() == 0) _exit(-uv_loop_fork(loop));
    OK(wait(&status));
    FAILS(uv_loop_fork, UV_ENOENT, -WEXITSTATUS(status));
    OK(uv_fs_event_stop(&event));

    OK(uv_fs_poll_init(loop, &poll));
    size = sizeof path;
    FAILS(uv_fs_poll_getpath, UV_EINVAL, uv_fs_poll_getpath(&poll, path, &size));
    OK(uv_fs_poll_start(&poll, on_poll, "missing", 1));
    size = 2;
    FAILS(uv_fs_poll_getpath, UV_ENOBUFS, uv_fs_poll_getpath(&poll, path, &size));
    FAILS(uv_fs_poll_start, UV_ENOENT, AFTER_RUN(0));
}

int main(void) {
    begin();
    regular = open("regular", O_CREAT | O_RDWR, 0600);
    int second = open("second", O_CREAT | O_RDWR, 0600);
    OK(regular);
    OK(second);
    OK(mkdir("folder", 0700));
    OK(mkdir("folder/empty", 0700));
    OK(mkdir("other", 0700));
    paths();
    descriptors();
    watching();
    return end();
}
