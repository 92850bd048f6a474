/* needs: mauve */
/* uv_shutdown before the connection is established takes effect after it is. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, client, peer;

static void on_shutdown(uv_shutdown_t *request, int status) {
    EXPECT(status, 0);
    record_event("shutdown");
    uv_close(HANDLE(request->handle), NULL);
}

static void on_connect(uv_connect_t *request, int status) {
    (void)request;
    EXPECT(status, 0);
    record_event("connect");
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
    uv_shutdown_t shutdown_request;
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    uv_tcp_init(&loop, &client);
    EXPECT(uv_tcp_connect(&connect, &client, SOCKADDR(&address), on_connect), 0);
    EXPECT(uv_shutdown(&shutdown_request, STREAM(&client), on_shutdown), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT_EVENTS("connect shutdown ");
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
