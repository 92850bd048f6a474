/* Errors of uv_spawn: missing programs, directories and descriptors. */
#include "child.h"

#include <errno.h>
#include <sys/wait.h>

int main(void) {
    uv_pipe_t pipe;

    prepare_child();
    options.file = "/no/such/program";
    run_child("missing", "");
    options.file = "no-such-program-anywhere";
    run_child("not in the path", "");
    options.file = "/etc/passwd";
    run_child("not a program", "");
    options.file = "/etc/passwd/program";
    run_child("not a directory", "");
    options.file = "sh";
    options.cwd = "/no/such/directory";
    run_child("no directory", "exit 0");
    options.cwd = NULL;
    stdio[1].data.fd = -1;
    run_child("no descriptor", "exit 0");
    stdio[1].data.fd = 777;
    run_child("bad descriptor", "exit 0");
    uv_pipe_init(&loop, &pipe, 0);
    stdio[1].flags = UV_INHERIT_STREAM;
    stdio[1].data.stream = (uv_stream_t *)&pipe;
    run_child("stream without a descriptor", "exit 0");
    print("no child left: %d", waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
