/* The system refuses watches or instances: uv_fs_event_start says so, and the handle is usable. */
#include <sys/resource.h>
#include <sys/wait.h>

#include "files.h"

#include "../process/refuse.h"

static uv_loop_t loop;
static uv_fs_event_t event;

static void on_event(uv_fs_event_t *handle, const char *name, int change, int status) {
    say("  event %s %d %s", name, change, code(status));
    uv_close((uv_handle_t *)handle, NULL);
}

static void start(const char *path) {
    say("  start at %s: %s, active %d", path, code(uv_fs_event_start(&event, on_event, path, 0)),
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

static int try_it(int call, int error) {
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &event);
    if (call != 0) refuse(call, 0, error);
    if (call == 0) limit_descriptors(1);
    start(".");
    start("nothing");
    say("  stop %s", code(uv_fs_event_stop(&event)));
    if (call == 0) {
        limit_descriptors(0);
        start(".");
        write_file("file", "x");
    }
    say("  run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("  close %s", code(finish(&loop)));
    return 0;
}

static void in_child(const char *what, int call, int error) {
    int status;
    say("%s", what);
    pid_t pid = fork();
    if (pid == 0) _exit(try_it(call, error));
    waitpid(pid, &status, 0);
    say("  child %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

int main(void) {
    make_place();
    in_child("no instance", SYS_inotify_init1, EMFILE);
    in_child("no watch", SYS_inotify_add_watch, ENOSPC);
    in_child("no memory", SYS_inotify_add_watch, ENOMEM);
    in_child("no descriptor", 0, 0);
    return 0;
}
