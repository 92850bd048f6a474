/* 1 GiB is queued for a slow reader, which pauses several times. */
#include "net.h"

enum { WRITES = 1024, SIZE = 1 << 20 };

static uv_loop_t loop;
static uv_pipe_t writer, reader;
static uv_timer_t timer;
static uv_write_t writes[WRITES];
static char *data;
static int completed, pauses;
static size_t received;
static char big[1 << 20];

static void on_write(uv_write_t *request, int status) {
    assert(status == 0);
    assert(request == &writes[completed]);
    completed++;
    size_t queued = uv_stream_get_write_queue_size(request->handle);
    assert(queued <= (size_t)(WRITES - completed) * SIZE);
}

static void on_big(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(big, sizeof big);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer);

static void on_timer(uv_timer_t *handle) {
    (void)handle;
    uv_read_start(STREAM(&reader), on_big, on_read);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count < 0) {
        print("read %s after %zu bytes", code(count), received);
        uv_close(HANDLE(stream), NULL);
        uv_close(HANDLE(&timer), NULL);
        return;
    }
    for (ssize_t at = 0; at < count;) {
        size_t offset = (received + at) % SIZE;
        size_t length = SIZE - offset < (size_t)(count - at) ? SIZE - offset : (size_t)(count - at);
        assert(memcmp(buffer->base + at, data + offset, length) == 0);
        at += length;
    }
    size_t before = received;
    received += count;
    /* Pauses every 64 MiB. */
    if (before / (64 << 20) != received / (64 << 20)) {
        pauses++;
        uv_read_stop(stream);
        uv_timer_start(&timer, on_timer, 1, 0);
    }
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    print("shutdown %s after %d writes, queue %zu", code(status), completed,
          request->handle->write_queue_size);
    uv_close(HANDLE(request->handle), NULL);
}

int main(void) {
    static uv_shutdown_t shutdown_request;
    int ends[2];
    data = malloc(SIZE);
    for (int i = 0; i < SIZE; i++) data[i] = (char)(i * 13 + i / 257);
    uv_loop_init(&loop);
    local_sockets(ends);
    uv_timer_init(&loop, &timer);
    uv_pipe_init(&loop, &writer, 0);
    uv_pipe_init(&loop, &reader, 0);
    uv_pipe_open(&writer, ends[0]);
    uv_pipe_open(&reader, ends[1]);
    size_t before = 0;
    for (int i = 0; i < WRITES; i++) {
        uv_buf_t buffer = uv_buf_init(data, SIZE);
        assert(uv_write(&writes[i], STREAM(&writer), &buffer, 1, on_write) == 0);
        size_t queue = writer.write_queue_size;
        assert(i == 0 ? queue < SIZE : queue == before + SIZE);
        before = queue;
    }
    print("queue above 1022 MiB %d", before > (size_t)1022 << 20);
    print("shutdown %s", code(uv_shutdown(&shutdown_request, STREAM(&writer), on_shutdown)));
    uv_read_start(STREAM(&reader), on_big, on_read);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("pauses %d", pauses);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
