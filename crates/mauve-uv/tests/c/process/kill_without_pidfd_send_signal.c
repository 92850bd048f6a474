/* pidfd_send_signal fails: uv_process_kill uses kill with the pid instead. */
#include "child.h"
#include "seccomp.h"

static void spawn_and_kill(void) {
    shell[2] = "read never";
    print("spawn %s", code(uv_spawn(&loop, &child, &options)));
    print("probe %s", code(uv_process_kill(&child, 0)));
    print("invalid signal %s", code(uv_process_kill(&child, 99)));
    print("kill %s", code(uv_process_kill(&child, SIGTERM)));
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("after the exit %s", code(uv_process_kill(&child, SIGTERM)));
    uv_close((uv_handle_t *)&child, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    static uv_pipe_t pipe;
    prepare_child();
    uv_pipe_init(&loop, &pipe, 0);
    stdio[0].flags = UV_CREATE_PIPE | UV_READABLE_PIPE;
    stdio[0].data.stream = (uv_stream_t *)&pipe;
    fail_syscall(SYS_pidfd_send_signal, 0, EPERM);
    spawn_and_kill();
    uv_close((uv_handle_t *)&pipe, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_pipe_init(&loop, &pipe, 0);
    fail_syscall(SYS_pidfd_send_signal, 0, ENOSYS);
    spawn_and_kill();
    print("close %s", code(close_loop(&loop)));
    return 0;
}
