/* needs: 1.52 */
/* uv_pipe_bind2 and uv_pipe_connect2: flags, abstract names, lengths. */
#include "net.h"

#include <sys/stat.h>

static uv_loop_t loop;
static uv_pipe_t server, client, peer;

static void on_connection(uv_stream_t *stream, int status) {
    EXPECT(status, 0);
    record_event("connection");
    uv_pipe_init(&loop, &peer, 0);
    EXPECT(uv_accept(stream, STREAM(&peer)), 0);
    uv_close(HANDLE(&peer), NULL);
    uv_close(HANDLE(stream), NULL);
}

static void on_connect(uv_connect_t *request, int status) {
    record_event(status == 0 ? "connect" : uv_err_name(status));
    uv_close(HANDLE(request->handle), NULL);
}

static void init_pipes(void) {
    uv_pipe_init(&loop, &server, 0);
    uv_pipe_init(&loop, &client, 0);
}

static void close_pipes(void) {
    uv_walk(&loop, close_walked, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    static const char abstract[] = "\0mauve-test-\0-name";
    char buffer[256], long_name[200];
    char unique_name[64];
    uv_connect_t connect;
    size_t size;

    uv_loop_init(&loop);
    memset(long_name, 'x', sizeof long_name);
    memcpy(long_name, "/tmp/", 5);

    init_pipes();
    EXPECT(uv_pipe_bind2(&server, "x", 1, 2), UV_EINVAL);
    EXPECT(uv_pipe_bind2(&server, NULL, 1, 0), UV_EINVAL);
    EXPECT(uv_pipe_bind2(&server, "a\0b", 3, 0), UV_EINVAL);
    EXPECT(uv_pipe_bind2(&server, long_name, 109, UV_PIPE_NO_TRUNCATE), UV_EINVAL);
    EXPECT(uv_pipe_bind2(&server, long_name, 200, UV_PIPE_NO_TRUNCATE), UV_EINVAL);
    EXPECT(uv_pipe_connect2(&connect, &client, "x", 1, 2, on_connect), UV_EINVAL);
    EXPECT(uv_pipe_connect2(&connect, &client, NULL, 1, 0, on_connect), UV_EINVAL);
    EXPECT(uv_pipe_connect2(&connect, &client, "", 0, 0, on_connect), UV_EINVAL);
    EXPECT(uv_pipe_connect2(&connect, &client, "a\0b", 3, 0, on_connect), UV_EINVAL);
    EXPECT(uv_pipe_connect2(&connect, &client, long_name, 109, UV_PIPE_NO_TRUNCATE, on_connect),
           UV_EINVAL);
    EXPECT(uv_loop_alive(&loop), 0);

    /* An abstract name, delimited by its length. The process id makes it unique. */
    memcpy(unique_name, abstract, sizeof abstract);
    size_t length = sizeof abstract + sprintf(unique_name + sizeof abstract, "%d", getpid());
    EXPECT(uv_pipe_bind2(&server, unique_name, length, 0), 0);
    size = sizeof buffer;
    EXPECT(uv_pipe_getsockname(&server, buffer, &size), 0);
    EXPECT(size, length);
    EXPECT(memcmp(buffer, unique_name, length), 0);
    size = length - 1;
    EXPECT(uv_pipe_getsockname(&server, buffer, &size), UV_ENOBUFS);
    EXPECT(size, length);
    EXPECT(uv_pipe_getsockname(&server, buffer, &size), 0);
    EXPECT(uv_listen(STREAM(&server), 1, on_connection), 0);
    EXPECT(uv_pipe_connect2(&connect, &client, unique_name, length, UV_PIPE_NO_TRUNCATE,
                            on_connect), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT_EVENTS("connection connect ");
    close_pipes();

    /* A prefix of the name is a different name. */
    init_pipes();
    EXPECT(uv_pipe_bind2(&server, unique_name, length, 0), 0);
    EXPECT(uv_listen(STREAM(&server), 1, on_connection), 0);
    EXPECT(uv_pipe_connect2(&connect, &client, unique_name, length - 1, 0, on_connect), 0);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT_EVENTS("ECONNREFUSED ");
    close_pipes();

    /* uv_pipe_chmod replaces the mode. */
    struct stat status;
    char path[64];
    snprintf(path, sizeof path, "/tmp/pipe-mode-%d", getpid());
    init_pipes();
    EXPECT(uv_pipe_bind2(&server, path, strlen(path), 0), 0);
    EXPECT(chmod(path, 0777), 0);
    EXPECT(uv_pipe_chmod(&server, UV_READABLE), 0);
    EXPECT(lstat(path, &status), 0);
    EXPECT(status.st_mode & 0777, 0444);
    EXPECT(uv_pipe_chmod(&server, UV_WRITABLE), 0);
    EXPECT(lstat(path, &status), 0);
    EXPECT(status.st_mode & 0777, 0222);
    size = 0;
    EXPECT(uv_pipe_getsockname(&server, buffer, &size), UV_EINVAL);
    EXPECT(uv_pipe_getpeername(&server, buffer, NULL), UV_EINVAL);
    size = 10;
    EXPECT(uv_pipe_getsockname(&server, NULL, &size), UV_EINVAL);
    close_pipes();

    init_pipes();
    uv_pipe_connect(&connect, &client, "", on_connect);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT_EVENTS("EINVAL ");
    close_pipes();

    /* An empty name: the system assigns one. */
    init_pipes();
    EXPECT(uv_pipe_bind2(&server, "", 0, 0), 0);
    size = sizeof buffer;
    EXPECT(uv_pipe_getsockname(&server, buffer, &size), 0);
    EXPECT(size, 6);
    EXPECT(buffer[0], 0);
    close_pipes();
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
