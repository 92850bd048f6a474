/* inotify_init1 or inotify_add_watch fails: uv_fs_event_start returns the error, and the handle
 * can be started later. */
#include <sys/resource.h>
#include <sys/wait.h>

#include "watch_dir.h"

#include "seccomp.h"

static uv_loop_t loop;
static uv_fs_event_t event;

static void on_event(uv_fs_event_t *handle, const char *name, int change, int status) {
    print("  event %s %d %s", name, change, code(status));
    uv_close((uv_handle_t *)handle, NULL);
}

static void start(const char *path) {
    print("  start at %s: %s, active %d", path, code(uv_fs_event_start(&event, on_event, path, 0)),
          uv_is_active((uv_handle_t *)&event));
}

/* Lowers the number of descriptors to those that are open, or restores it. */
static void limit_descriptors(int few) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    int next = dup(0);
    close(next);
    limit.rlim_cur = few ? (rlim_t)next : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static int start_with_failure(int call, int error) {
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &event);
    if (call != 0) fail_syscall(call, 0, error);
    if (call == 0) limit_descriptors(1);
    start(".");
    start("nothing");
    print("  stop %s", code(uv_fs_event_stop(&event)));
    if (call == 0) {
        limit_descriptors(0);
        start(".");
        write_file("file", "x");
    }
    print("  run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("  close %s", code(close_loop(&loop)));
    return 0;
}

static void in_child(const char *what, int call, int error) {
    int status;
    print("%s", what);
    pid_t pid = fork();
    if (pid == 0) _exit(start_with_failure(call, error));
    waitpid(pid, &status, 0);
    print("  child %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

int main(void) {
    enter_watch_dir();
    in_child("no instance", SYS_inotify_init1, EMFILE);
    in_child("no watch", SYS_inotify_add_watch, ENOSPC);
    in_child("no memory", SYS_inotify_add_watch, ENOMEM);
    in_child("no descriptor", 0, 0);
    return 0;
}
