/* Filters refuse the ways to start a process that need flags, and descriptors for processes: they
 * are started all the same, and their exits and errors are reported. */
#include <linux/sched.h>

#include "child.h"
#include "refuse.h"

static void start_some(const char *what) {
    say("%s", what);
    run_child("exit", "exit 7");
    run_child("signal", "kill -9 $$");
    options.file = "/no/such/program";
    say("no such program %s", code(uv_spawn(&loop, &child, &options)));
    uv_close((uv_handle_t *)&child, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    options.file = "sh";
}

int main(void) {
    prepare_child();
    start_some("nothing is refused");
    refuse(SYS_clone, CLONE_PIDFD, EPERM);
    start_some("no descriptor from clone");
    refuse(SYS_pidfd_open, 0, ENOSYS);
    start_some("no descriptor at all");
    refuse(SYS_clone, CLONE_VFORK, EPERM);
    start_some("no shared memory");
    say("close %s", code(finish(&loop)));
    return 0;
}
