/* needs: mauve */
/* A shutdown that is asked for before the connection is made takes place when it is. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, client, peer;

static void on_shutdown(uv_shutdown_t *request, int status) {
    EXPECT(status, 0);
    tell("shutdown");
    uv_close(HANDLE(request->handle), NULL);
}

static void on_connect(uv_connect_t *request, int status) {
    (void)request;
    EXPECT(status, 0);
    tell("connect");
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    EXPECT(count, UV_EOF);
    uv_close(HANDLE(stream), NULL);
}

static void on_connection(uv_stream_t *stream, int status) {
    EXPECT(status, 0);
    uv_tcp_init(&loop, &peer);
    EXPECT(uv_accept(stream, STREAM(&peer)), 0);
    EXPECT(uv_read_start(STREAM(&peer), on_alloc, on_read), 0);
    uv_close(HANDLE(stream), NULL);
}

int main(void) {
    uv_connect_t connect;
    uv_shutdown_t shut;
    uv_loop_init(&loop);
    struct sockaddr_in address = serve(&loop, &server, on_connection);
    uv_tcp_init(&loop, &client);
    EXPECT(uv_tcp_connect(&connect, &client, SOCKADDR(&address), on_connect), 0);
    EXPECT(uv_shutdown(&shut, STREAM(&client), on_shutdown), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT_STORY("connect shutdown ");
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
