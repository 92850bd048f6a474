/* Shared by the programs that spawn children. */
#ifndef CHILD_H
#define CHILD_H

#include <fcntl.h>
#include <signal.h>

#include "../test.h"

static uv_loop_t loop;
static uv_process_t child;
static uv_process_options_t options;
static uv_stdio_container_t stdio[8];
static char *shell[] = {"sh", "-c", NULL, NULL};

static UNUSED void on_child_exit(uv_process_t *process, int64_t status, int number) {
    print("  exited: %d, signal %d, active %d, has a pid %d", (int)status, number,
          uv_is_active((uv_handle_t *)process), process->pid > 0);
}

static UNUSED void prepare_child(void) {
    uv_loop_init(&loop);
    options.file = "sh";
    options.args = shell;
    options.exit_cb = on_child_exit;
    options.stdio = stdio;
    options.stdio_count = 3;
    for (int fd = 0; fd < 3; fd++) {
        stdio[fd].flags = UV_INHERIT_FD;
        stdio[fd].data.fd = fd;
    }
}

/* Spawns a shell with a script, runs the loop and closes the handle. The result of uv_spawn is
 * printed last, so that it does not mix with the output of the child. */
static UNUSED int run_child(const char *what, const char *script) {
    shell[2] = (char *)script;
    fflush(stdout);
    int result = uv_spawn(&loop, &child, &options);
    int active = uv_is_active((uv_handle_t *)&child);
    int has_pid = result == 0 && child.pid > 0;
    uv_run(&loop, UV_RUN_DEFAULT);
    print("%s: %s, active %d, has a pid %d", what, code(result), active, has_pid);
    uv_close((uv_handle_t *)&child, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    return result;
}

#endif
