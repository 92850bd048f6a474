/* needs: mauve */
/* A pipe that connects after a failed attempt is readable and writable. With libuv it is
 * connected, but neither readable nor writable. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t server, client, accepted;
static uv_connect_t request;
static char path[64];
static int attempts;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    EXPECT(count, 5);
    EXPECT(memcmp(buffer->base, "hello", 5), 0);
    uv_read_stop(stream);
    uv_stop(&loop);
}

static void on_connection(uv_stream_t *stream, int status) {
    EXPECT(status, 0);
    EXPECT(uv_pipe_init(&loop, &accepted, 0), 0);
    EXPECT(uv_accept(stream, STREAM(&accepted)), 0);
    EXPECT(uv_read_start(STREAM(&accepted), on_alloc, on_read), 0);
}

static void on_connect(uv_connect_t *connect, int status) {
    if (attempts++ == 0) {
        EXPECT(status, UV_ENOENT);
        EXPECT(uv_pipe_bind(&server, path), 0);
        EXPECT(uv_listen(STREAM(&server), 1, on_connection), 0);
        uv_pipe_connect(connect, &client, path, on_connect);
        return;
    }
    EXPECT(status, 0);
    EXPECT(uv_is_readable(connect->handle), 1);
    EXPECT(uv_is_writable(connect->handle), 1);
    EXPECT(uv_try_write(connect->handle, &(uv_buf_t){"hello", 5}, 1), 5);
}

int main(void) {
    snprintf(path, sizeof path, "/tmp/mauve-reconnects-%d", (int)getpid());
    uv_loop_init(&loop);
    EXPECT(uv_pipe_init(&loop, &server, 0), 0);
    EXPECT(uv_pipe_init(&loop, &client, 0), 0);
    uv_pipe_connect(&request, &client, path, on_connect);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(attempts, 2);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
