/* A forked child continues to use its streams after uv_loop_fork. */
#include "net.h"

#include <sys/wait.h>

static uv_loop_t loop;
static uv_tcp_t server, accepted;
static uv_pipe_t pipe_;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    print("read %s %.*s", length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    uv_close(HANDLE(stream), NULL);
}

static void on_connection(uv_stream_t *stream, int status) {
    print("connection %s", code(status));
    uv_tcp_init(&loop, &accepted);
    print("accept %s", code(uv_accept(stream, STREAM(&accepted))));
    uv_close(HANDLE(&accepted), NULL);
    uv_close(HANDLE(stream), NULL);
}

int main(void) {
    int status;
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    int peer = pipe_with_peer(&loop, &pipe_);
    uv_read_start(STREAM(&pipe_), on_alloc, on_read);
    uv_run(&loop, UV_RUN_NOWAIT);
    pid_t pid = fork();
    if (pid == 0) {
        print("fork %s", code(uv_loop_fork(&loop)));
        int client = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(client, SOCKADDR(&address), sizeof address) == 0);
        uv_run(&loop, UV_RUN_ONCE);
        assert(write(peer, "to the child", 12) == 12);
        print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
        print("close %s", code(uv_loop_close(&loop)));
        _exit(0);
    }
    waitpid(pid, &status, 0);
    print("child %d", WEXITSTATUS(status));
    assert(write(peer, "to the parent", 13) == 13);
    uv_close(HANDLE(&server), NULL);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
