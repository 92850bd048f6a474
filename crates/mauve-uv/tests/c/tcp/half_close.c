/* Each side shuts down its writing half at a different time; the other direction keeps working. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, client, peer;
static uv_write_t writes[4];
static uv_shutdown_t shutdowns[3];

static void on_write(uv_write_t *request, int status) {
    print("write %d %s", (int)(request - writes), code(status));
}

static void on_peer_shutdown(uv_shutdown_t *request, int status) {
    print("peer shutdown %s", code(status));
    print_stream_state("peer", request->handle);
    uv_close(HANDLE(request->handle), NULL);
    uv_close(HANDLE(&server), NULL);
}

static void on_peer_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    uv_buf_t late = uv_buf_init("after your EOF", 14);
    print("peer read %s %.*s", length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    if (count != UV_EOF) return;
    print_stream_state("peer at the end", stream);
    print("peer write %s", code(uv_write(&writes[1], stream, &late, 1, on_write)));
    print("peer shutdown %s", code(uv_shutdown(&shutdowns[1], stream, on_peer_shutdown)));
    print_stream_state("peer shutting down", stream);
}

static void on_connection(uv_stream_t *stream, int status) {
    print("connection %s", code(status));
    uv_tcp_init(&loop, &peer);
    uv_accept(stream, STREAM(&peer));
    print("read_start %s", code(uv_read_start(STREAM(&peer), on_alloc, on_peer_read)));
}

static void on_client_shutdown(uv_shutdown_t *request, int status) {
    uv_buf_t more = uv_buf_init("too late", 8);
    print("client shutdown %s", code(status));
    print_stream_state("client", request->handle);
    print("write %s", code(uv_write(&writes[2], request->handle, &more, 1, on_write)));
    print("try_write %s", code(uv_try_write(request->handle, &more, 1)));
    print("again %s", code(uv_shutdown(&shutdowns[2], request->handle, on_client_shutdown)));
}

static void on_client_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    print("client read %s %.*s", length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    if (count < 0) uv_close(HANDLE(stream), NULL);
}

static void on_connect(uv_connect_t *request, int status) {
    uv_buf_t last = uv_buf_init("last words", 10);
    print("connect %s", code(status));
    uv_read_start(request->handle, on_alloc, on_client_read);
    print("write %s", code(uv_write(&writes[0], request->handle, &last, 1, on_write)));
    print_stream_state("before shutdown", request->handle);
    print("shutdown %s", code(uv_shutdown(&shutdowns[0], request->handle, on_client_shutdown)));
    print_stream_state("shutting down", request->handle);
    print("twice %s", code(uv_shutdown(&shutdowns[2], request->handle, on_client_shutdown)));
    print("write %s", code(uv_write(&writes[2], request->handle, &last, 1, on_write)));
}

int main(void) {
    uv_connect_t connect;
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    uv_tcp_init(&loop, &client);
    print("shutdown, not connected %s", code(uv_shutdown(&shutdowns[0], STREAM(&client), NULL)));
    uv_tcp_connect(&connect, &client, SOCKADDR(&address), on_connect);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
