/*
 * A TCP echo server.
 *
 *   make -C examples/c run-echo             # the server and a client of its own, on one loop
 *   examples/c/build/echo 7000              # only the server; try it with `nc 127.0.0.1 7000`
 *
 * Look at who owns what: a buffer belongs to the request until its write callback, and a handle is
 * freed in its close callback, not before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

static uv_tcp_t server, client;
static int is_server_only;

struct write {
    uv_write_t request;
    uv_buf_t buffer;
};

static void must(int status, const char *what) {
    if (status >= 0) return;
    fprintf(stderr, "%s: %s\n", what, uv_strerror(status));
    exit(1);
}

static void on_closed(uv_handle_t *handle) {
    free(handle);
    if (!is_server_only) uv_close((uv_handle_t *)&server, NULL);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    buffer->base = malloc(size);
    buffer->len = buffer->base == NULL ? 0 : size;
}

static void on_written(uv_write_t *request, int status) {
    struct write *write = (struct write *)request;
    if (status < 0 && status != UV_ECANCELED) fprintf(stderr, "write: %s\n", uv_strerror(status));
    free(write->buffer.base);
    free(write);
}

/* The bytes are sent back from the buffer that they were read into. */
static void on_peer_read(uv_stream_t *peer, ssize_t length, const uv_buf_t *buffer) {
    if (length > 0) {
        struct write *write = malloc(sizeof *write);
        must(write == NULL ? UV_ENOMEM : 0, "malloc");
        write->buffer = uv_buf_init(buffer->base, (unsigned)length);
        must(uv_write(&write->request, peer, &write->buffer, 1, on_written), "uv_write");
        return;
    }
    free(buffer->base);
    if (length < 0) uv_close((uv_handle_t *)peer, on_closed);
}

static void on_connection(uv_stream_t *stream, int status) {
    must(status, "connection");
    uv_tcp_t *peer = malloc(sizeof *peer);
    must(peer == NULL ? UV_ENOMEM : 0, "malloc");
    must(uv_tcp_init(stream->loop, peer), "uv_tcp_init");
    must(uv_accept(stream, (uv_stream_t *)peer), "uv_accept");
    must(uv_read_start((uv_stream_t *)peer, on_alloc, on_peer_read), "uv_read_start");
}

static void on_client_read(uv_stream_t *stream, ssize_t length, const uv_buf_t *buffer) {
    if (length > 0) printf("the client got back: %.*s\n", (int)length, buffer->base);
    free(buffer->base);
    if (length != 0) uv_close((uv_handle_t *)stream, NULL);
}

static void on_connected(uv_connect_t *request, int status) {
    must(status, "connect");
    struct write *write = malloc(sizeof *write);
    must(write == NULL ? UV_ENOMEM : 0, "malloc");
    write->buffer = uv_buf_init(strdup("hello"), 5);
    must(write->buffer.base == NULL ? UV_ENOMEM : 0, "strdup");
    must(uv_write(&write->request, request->handle, &write->buffer, 1, on_written), "uv_write");
    must(uv_read_start(request->handle, on_alloc, on_client_read), "uv_read_start");
}

int main(int argc, char **argv) {
    uv_loop_t *loop = uv_default_loop();
    struct sockaddr_in address;
    int length = sizeof address;
    is_server_only = argc > 1;
    must(uv_ip4_addr("127.0.0.1", is_server_only ? atoi(argv[1]) : 0, &address), "address");
    must(uv_tcp_init(loop, &server), "uv_tcp_init");
    must(uv_tcp_bind(&server, (struct sockaddr *)&address, 0), "uv_tcp_bind");
    must(uv_listen((uv_stream_t *)&server, 128, on_connection), "uv_listen");
    must(uv_tcp_getsockname(&server, (struct sockaddr *)&address, &length), "uv_tcp_getsockname");
    if (is_server_only) {
        printf("serving on port %d\n", ntohs(address.sin_port));
        fflush(stdout);
    } else {
        static uv_connect_t request;
        must(uv_tcp_init(loop, &client), "uv_tcp_init");
        must(uv_tcp_connect(&request, &client, (struct sockaddr *)&address, on_connected), "connect");
    }
    must(uv_run(loop, UV_RUN_DEFAULT), "uv_run");
    must(uv_loop_close(loop), "uv_loop_close");
    return 0;
}
