/* Echo of 1 byte to 16 MiB: the same bytes, in order, and one callback per write. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, client, peer;
static char *data;
static size_t size, received;
static unsigned long sum;
static int echoes_pending;

typedef struct {
    uv_write_t request;
    char bytes[];
} echo_t;

static void on_echoed(uv_write_t *request, int status) {
    if (status != 0) print("  echo %s", code(status));
    echoes_pending--;
    free(request);
}

static void on_peer_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count < 0) {
        print("  server: %s, echoes pending %d", code(count), echoes_pending);
        uv_close(HANDLE(stream), NULL);
        uv_close(HANDLE(&server), NULL);
        return;
    }
    if (count == 0) return;
    echo_t *echo = malloc(sizeof *echo + count);
    uv_buf_t piece = uv_buf_init(echo->bytes, count);
    memcpy(echo->bytes, buffer->base, count);
    echoes_pending++;
    assert(uv_write(&echo->request, stream, &piece, 1, on_echoed) == 0);
}

static void on_connection(uv_stream_t *stream, int status) {
    assert(status == 0);
    uv_tcp_init(&loop, &peer);
    assert(uv_accept(stream, STREAM(&peer)) == 0);
    uv_read_start(STREAM(&peer), on_alloc, on_peer_read);
}

static void on_written(uv_write_t *request, int status) {
    print("  written %s, queue %zu", code(status), request->handle->write_queue_size);
}

static void on_client_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count < 0) {
        print("  client: %s", code(count));
        uv_close(HANDLE(stream), NULL);
        return;
    }
    for (ssize_t i = 0; i < count; i++) {
        assert(buffer->base[i] == data[received + i]);
        sum = sum * 31 + (unsigned char)buffer->base[i];
    }
    received += count;
    if (received == size) {
        print("  received all, sum %lu", sum);
        uv_close(HANDLE(stream), NULL);
    }
}

static void on_connect(uv_connect_t *request, int status) {
    static uv_write_t write;
    uv_buf_t whole = uv_buf_init(data, size);
    print("  connect %s", code(status));
    uv_read_start(request->handle, on_alloc, on_client_read);
    print("  write %s", code(uv_write(&write, request->handle, &whole, 1, on_written)));
}

int main(void) {
    static const size_t sizes[] = {1, 2, 1000, 65535, 65536, 65537, 1 << 20, 16 << 20};
    data = malloc(16 << 20);
    for (size_t i = 0; i < 16 << 20; i++) data[i] = (char)(i * 7 + i / 251);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        uv_connect_t connect;
        size = sizes[i], received = 0, sum = 0;
        print("%zu bytes", size);
        uv_loop_init(&loop);
        struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
        uv_tcp_init(&loop, &client);
        uv_tcp_connect(&connect, &client, SOCKADDR(&address), on_connect);
        uv_run(&loop, UV_RUN_DEFAULT);
        print("  close %s", code(uv_loop_close(&loop)));
    }
    return 0;
}
