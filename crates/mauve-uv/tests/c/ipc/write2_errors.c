/* uv_write2 and uv_listen check the stream before the handle that is sent. */
#include "../test.h"

#include <sys/socket.h>

static uv_loop_t loop;

static void on_connection(uv_stream_t *server, int status) {
    (void)server;
    (void)status;
}

static void write2(uv_pipe_t *pipe, uv_tcp_t *sent, const char *what) {
    static uv_write_t request;
    uv_buf_t buf = uv_buf_init("x", 1);
    int result =
        uv_write2(&request, (uv_stream_t *)pipe, &buf, 1, (uv_stream_t *)sent, NULL);
    print("%s: %s", what, code(result));
}

int main(void) {
    uv_pipe_t blank, plain, ipc;
    uv_tcp_t sent;
    int fds[2], others[2];
    uv_loop_init(&loop);
    uv_tcp_init(&loop, &sent);
    uv_pipe_init(&loop, &blank, 0);
    write2(&blank, &sent, "no socket");
    socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
    uv_pipe_init(&loop, &plain, 0);
    uv_pipe_open(&plain, fds[0]);
    write2(&plain, &sent, "a pipe without ipc");
    socketpair(AF_UNIX, SOCK_STREAM, 0, others);
    uv_pipe_init(&loop, &ipc, 1);
    uv_pipe_open(&ipc, others[0]);
    write2(&ipc, &sent, "a pipe with ipc");
    print("listen with ipc: %s", code(uv_listen((uv_stream_t *)&ipc, 1, on_connection)));
    print("close: %s", code(close_loop(&loop)));
    close(fds[1]);
    close(others[1]);
    return 0;
}
