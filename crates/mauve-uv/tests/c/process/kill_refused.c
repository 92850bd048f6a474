/* A filter refuses signals to a descriptor: they are sent to the number of the process instead. */
#include "child.h"
#include "refuse.h"

static void kill_it(void) {
    shell[2] = "read never";
    say("spawn %s", code(uv_spawn(&loop, &child, &options)));
    say("probe %s", code(uv_process_kill(&child, 0)));
    say("no such signal %s", code(uv_process_kill(&child, 99)));
    say("kill %s", code(uv_process_kill(&child, SIGTERM)));
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("after the exit %s", code(uv_process_kill(&child, SIGTERM)));
    uv_close((uv_handle_t *)&child, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    static uv_pipe_t pipe;
    prepare_child();
    uv_pipe_init(&loop, &pipe, 0);
    stdio[0].flags = UV_CREATE_PIPE | UV_READABLE_PIPE;
    stdio[0].data.stream = (uv_stream_t *)&pipe;
    refuse(SYS_pidfd_send_signal, 0, EPERM);
    kill_it();
    uv_close((uv_handle_t *)&pipe, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_pipe_init(&loop, &pipe, 0);
    refuse(SYS_pidfd_send_signal, 0, ENOSYS);
    kill_it();
    say("close %s", code(finish(&loop)));
    return 0;
}
