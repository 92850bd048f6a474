/* UV_CREATE_PIPE: the end of the child is blocking, even with UV_NONBLOCK_PIPE. */
#include "child.h"

int main(int argc, char **argv) {
    static uv_pipe_t pipes[5];
    if (argc > 1) {
        for (int fd = 0; fd < 6; fd++) {
            if (fd != 1) dprintf(1, "%d: %d\n", fd, (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
        }
        return 0;
    }
    char *args[] = {argv[0], "child", NULL};
    prepare_child();
    options.file = "/proc/self/exe";
    options.args = args;
    options.stdio_count = 6;
    for (int fd = 0, i = 0; fd < 6; fd++) {
        if (fd == 1) continue;
        uv_pipe_init(&loop, &pipes[i], 0);
        stdio[fd].flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE | UV_NONBLOCK_PIPE;
        stdio[fd].data.stream = (uv_stream_t *)&pipes[i++];
    }
    int result = uv_spawn(&loop, &child, &options);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("spawn %s, close %s", code(result), code(close_loop(&loop)));
    return 0;
}
