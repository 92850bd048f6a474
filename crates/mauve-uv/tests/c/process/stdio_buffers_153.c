/* needs: 1.53 */
/* The buffers of pipes to a child have the system's default sizes. */
#include "net.h"

static void on_child_exit(uv_process_t *process, int64_t status, int signal) {
    (void)status, (void)signal;
    uv_close(HANDLE(process), NULL);
}

static int option(int fd, int name) {
    int size = 0;
    socklen_t length = sizeof size;
    assert(getsockopt(fd, SOL_SOCKET, name, &size, &length) == 0);
    return size;
}

int main(void) {
    static char *arguments[] = {"true", NULL};
    uv_loop_t loop;
    uv_pipe_t pipes[2];
    uv_process_t process;
    int ends[2], fd;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    uv_loop_init(&loop);
    uv_stdio_container_t stdio[2];
    uv_process_options_t options = {.file = "true", .args = arguments, .exit_cb = on_child_exit,
                                    .stdio = stdio, .stdio_count = 2};
    for (int i = 0; i < 2; i++) {
        uv_pipe_init(&loop, &pipes[i], 0);
        stdio[i].flags = UV_CREATE_PIPE | (i ? UV_WRITABLE_PIPE : UV_READABLE_PIPE);
        stdio[i].data.stream = STREAM(&pipes[i]);
    }
    EXPECT(uv_spawn(&loop, &process, &options), 0);
    for (int i = 0; i < 2; i++) {
        EXPECT(uv_fileno(HANDLE(&pipes[i]), &fd), 0);
        print("%d: send %d receive %d", i, option(fd, SO_SNDBUF) - option(ends[0], SO_SNDBUF),
              option(fd, SO_RCVBUF) - option(ends[0], SO_RCVBUF));
    }
    EXPECT(close_loop(&loop), 0);
    return 0;
}
