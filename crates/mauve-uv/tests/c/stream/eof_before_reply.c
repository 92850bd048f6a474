/* env: MAUVE_SELECTOR=epoll */
/* UV_EOF that follows the last bytes of a peer is reported before events that a reply to them
 * causes. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, accepted, client;
static uv_connect_t connect_request;
static uv_write_t request_write, reply_write;
static uv_shutdown_t shutdown_request;
static uv_timer_t timer;

static void on_written(uv_write_t *request, int status) {
    print("%s written %s", request == &request_write ? "request" : "reply", code(status));
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    print("shutdown %s", code(status));
}

static void on_request(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("server reads %s", length_or_code(count));
    if (count < 0) {
        uv_close(HANDLE(stream), NULL);
        return;
    }
    uv_buf_t bytes = uv_buf_init("reply", 5);
    uv_write(&reply_write, stream, &bytes, 1, on_written);
}

static void on_reply(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("client reads %s", length_or_code(count));
    if (count < 0) uv_close(HANDLE(stream), NULL);
}

/* The request and the end of file have both arrived when the server starts to read. */
static void on_timer(uv_timer_t *handle) {
    uv_read_start(STREAM(&accepted), on_alloc, on_request);
    uv_close(HANDLE(handle), NULL);
}

static void on_connection(uv_stream_t *stream, int status) {
    assert(status == 0);
    uv_tcp_init(&loop, &accepted);
    assert(uv_accept(stream, STREAM(&accepted)) == 0);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 20, 0);
    uv_close(HANDLE(stream), NULL);
}

static void on_connect(uv_connect_t *request, int status) {
    uv_buf_t bytes = uv_buf_init("request", 7);
    assert(status == 0);
    uv_write(&request_write, request->handle, &bytes, 1, on_written);
    uv_shutdown(&shutdown_request, request->handle, on_shutdown);
    uv_read_start(request->handle, on_alloc, on_reply);
}

int main(void) {
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    uv_tcp_init(&loop, &client);
    assert(uv_tcp_connect(&connect_request, &client, SOCKADDR(&address), on_connect) == 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
