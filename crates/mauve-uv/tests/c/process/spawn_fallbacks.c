/* clone with CLONE_PIDFD or CLONE_VFORK, or pidfd_open, fails: uv_spawn falls back to other calls,
 * and exits and errors are reported. */
#include <linux/sched.h>

#include "child.h"
#include "seccomp.h"

static void spawn_some(const char *what) {
    print("%s", what);
    run_child("exit", "exit 7");
    run_child("signal", "kill -9 $$");
    options.file = "/no/such/program";
    print("missing program %s", code(uv_spawn(&loop, &child, &options)));
    uv_close((uv_handle_t *)&child, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    options.file = "sh";
}

int main(void) {
    prepare_child();
    spawn_some("all calls succeed");
    fail_syscall(SYS_clone, CLONE_PIDFD, EPERM);
    spawn_some("no CLONE_PIDFD");
    fail_syscall(SYS_pidfd_open, 0, ENOSYS);
    spawn_some("no pidfd_open");
    fail_syscall(SYS_clone, CLONE_VFORK, EPERM);
    spawn_some("no CLONE_VFORK");
    print("close %s", code(close_loop(&loop)));
    return 0;
}
