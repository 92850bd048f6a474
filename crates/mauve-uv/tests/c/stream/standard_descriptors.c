/* Closing a stream does not close descriptors 0, 1 and 2. */
#include "test.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum kind { TCP, PIPE, PIPE_END, TTY };

static const char *const names[] = {"tcp", "pipe", "end of a pipe", "terminal"};

/* Replaces a descriptor, and opens it as a stream. */
static int open_as(enum kind kind, uv_loop_t *loop, union uv_any_handle *handle, int fd) {
    int ends[2] = {-1, -1}, result;

    switch (kind) {
    case TCP: ends[0] = socket(AF_INET, SOCK_STREAM, 0); break;
    case PIPE: socketpair(AF_UNIX, SOCK_STREAM, 0, ends); break;
    case PIPE_END: pipe(ends); break;
    case TTY: ends[0] = posix_openpt(O_RDWR | O_NOCTTY); break;
    }
    dup2(ends[0], fd);
    for (int i = 0; i < 2; i++) {
        if (ends[i] > 2) close(ends[i]);
    }
    if (kind == TCP) {
        uv_tcp_init(loop, &handle->tcp);
        result = uv_tcp_open(&handle->tcp, fd);
    } else if (kind == TTY) {
        result = uv_tty_init(loop, &handle->tty, fd, 1);
    } else {
        uv_pipe_init(loop, &handle->pipe, 0);
        result = uv_pipe_open(&handle->pipe, fd);
    }
    return result;
}

int main(void) {
    uv_loop_t loop;
    union uv_any_handle handle;

    stdout = fdopen(fcntl(1, F_DUPFD, 20), "w");
    uv_loop_init(&loop);
    for (int kind = TCP; kind <= TTY; kind++) {
        for (int fd = 0; fd <= 3; fd++) {
            int used = fd < 3 ? fd : 30;
            int opened = open_as((enum kind)kind, &loop, &handle, used);

            print("%s as %s: %s", names[kind], fd < 3 ? "a standard descriptor" : "another", code(opened));
            uv_close(&handle.handle, NULL);
            print("  open after uv_close: %d", fcntl(used, F_GETFD) != -1);
            uv_run(&loop, UV_RUN_DEFAULT);
            print("  open after the callback: %d", fcntl(used, F_GETFD) != -1);
        }
    }
    print("close %s", code(uv_loop_close(&loop)));
    fflush(stdout);
    return 0;
}
