/* needs: 1.53 */
/* Which functions of the C library are called, because tools replace them: fakeroot, fakechroot,
 * libfaketime. A child that changes its user calls setuid after a fork. */
#include "net.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

static int shown;

static void show(const char *name) {
    /* Not stdio, because a child also calls this. */
    if (!shown) return;
    assert(write(STDOUT_FILENO, "  ", 2) == 2);
    assert(write(STDOUT_FILENO, name, strlen(name)) > 0);
    assert(write(STDOUT_FILENO, "\n", 1) == 1);
}

#define REPLACE(result, name, parameters, arguments)                      \
    result name parameters {                                              \
        result(*original) parameters = dlsym(RTLD_NEXT, #name);           \
        show(#name);                                                      \
        return original arguments;                                        \
    }

#define PRETEND(name, parameters)                                         \
    int name parameters {                                                 \
        show(#name);                                                      \
        return 0;                                                         \
    }

REPLACE(int, sched_getaffinity, (pid_t pid, size_t size, cpu_set_t *set), (pid, size, set))
REPLACE(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left))
REPLACE(DIR *, opendir, (const char *path), (path))
REPLACE(struct dirent64 *, readdir64, (DIR * directory), (directory))
REPLACE(int, ftruncate64, (int fd, off64_t size), (fd, size))
REPLACE(int, fstat64, (int fd, struct stat64 *found), (fd, found))
REPLACE(pid_t, fork, (void), ())
PRETEND(setuid, (uid_t uid UNUSED))
PRETEND(setgid, (gid_t gid UNUSED))
PRETEND(setgroups, (size_t count UNUSED, const gid_t *groups UNUSED))

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    show("gettimeofday");
    time->tv_sec = 1;
    time->tv_usec = 2;
    return 0;
}

int open64(const char *path, int flags, ...) {
    int (*original)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
    if (strstr(path, "copied") != NULL) show("open64");
    return original(path, flags, 0600);
}

static void on_child_exit(uv_process_t *process, int64_t status, int signal) {
    print("  exit %d %d", (int)status, signal);
    uv_close(HANDLE(process), NULL);
}

#define STEP(call)                                                        \
    do {                                                                  \
        print("%s", #call);                                               \
        shown = 1;                                                        \
        call;                                                             \
        shown = 0;                                                        \
    } while (0)

int main(void) {
    char directory[] = "/tmp/interposed-XXXXXX";
    static char *arguments[] = {"true", NULL};
    uv_stdio_container_t stdio[] = {{.flags = UV_IGNORE},
                                    {.flags = UV_INHERIT_FD, .data.fd = STDOUT_FILENO}};
    uv_process_options_t options = {.file = "true", .args = arguments, .exit_cb = on_child_exit,
                                    .flags = UV_PROCESS_SETUID | UV_PROCESS_SETGID,
                                    .uid = 12345, .gid = 12346, .stdio = stdio,
                                    .stdio_count = COUNT(stdio)};
    uv_loop_t loop;
    uv_process_t process;
    uv_fs_t request;
    uv_timeval64_t now;
    uv_dirent_t entries[8];

    uv_loop_init(&loop);
    assert(mkdtemp(directory) != NULL && chdir(directory) == 0);
    close(open("copied", O_CREAT | O_WRONLY, 0600));
    STEP(uv_available_parallelism());
    STEP(uv_sleep(1));
    STEP(uv_gettimeofday(&now));
    EXPECT(now.tv_sec, 1);
    EXPECT(now.tv_usec, 2);
    STEP(uv_fs_copyfile(NULL, &request, "copied", "copied-2", 0, NULL));
    EXPECT(request.result, 0);
    uv_fs_req_cleanup(&request);
    STEP(uv_fs_opendir(NULL, &request, ".", NULL));
    uv_dir_t *opened = request.ptr;
    uv_fs_req_cleanup(&request);
    opened->dirents = entries;
    opened->nentries = COUNT(entries);
    STEP(uv_fs_readdir(NULL, &request, opened, NULL));
    EXPECT(request.result, 2);
    uv_fs_req_cleanup(&request);
    uv_fs_closedir(NULL, &request, opened, NULL);
    uv_fs_req_cleanup(&request);
    EXPECT(unlink("copied"), 0);
    EXPECT(unlink("copied-2"), 0);
    EXPECT(rmdir(directory), 0);

    int result;
    STEP(result = uv_spawn(&loop, &process, &options));
    EXPECT(result, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
