/* uv_loop_fork in a child when a watched directory has been removed: it fails and stops that
 * handle. Handles started earlier keep working. A second call succeeds. */
#include <sys/wait.h>

#include "watch_dir.h"

static uv_loop_t loop;
static uv_fs_event_t events[2];

static void on_event(uv_fs_event_t *handle, const char *name, int change, int status) {
    print("  event %d: %s %d %s", (int)(handle - events), name, change, code(status));
    uv_close((uv_handle_t *)handle, NULL);
}

static void show(int index) {
    char path[64];
    size_t size = sizeof path;
    int result = uv_fs_event_getpath(&events[index], path, &size);
    print("  handle %d: path %s, active %d", index, result ? code(result) : path,
          uv_is_active((uv_handle_t *)&events[index]));
}

int main(void) {
    int status;
    enter_watch_dir();
    mkdir("stays", 0755);
    mkdir("goes", 0755);
    uv_loop_init(&loop);
    for (int i = 0; i < 2; i++) uv_fs_event_init(&loop, &events[i]);
    print("start %s", code(uv_fs_event_start(&events[0], on_event, "stays", 0)));
    print("start %s", code(uv_fs_event_start(&events[1], on_event, "goes", 0)));
    uv_run(&loop, UV_RUN_NOWAIT);
    rmdir("goes");
    pid_t pid = fork();
    if (pid == 0) {
        print("fork %s", code(uv_loop_fork(&loop)));
        for (int i = 0; i < 2; i++) show(i);
        print("fork %s", code(uv_loop_fork(&loop)));
        for (int i = 0; i < 2; i++) show(i);
        write_file("stays/file", "x");
        print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
        print("stop %s", code(uv_fs_event_stop(&events[1])));
        fflush(stdout);
        _exit(3);
    }
    waitpid(pid, &status, 0);
    print("child %d", WEXITSTATUS(status));
    return 0;
}
