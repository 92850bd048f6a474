/* uv_write and uv_try_write with more buffers than IOV_MAX. */
#include "net.h"

enum { PARTS = 5000 };

static uv_loop_t loop;
static uv_pipe_t pipe_, reader;
static uv_write_t write_;
static char data[PARTS * 3];
static size_t received;

static void on_write(uv_write_t *request, int status) {
    print("  write %s, queue %zu", code(status), request->handle->write_queue_size);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream;
    assert(count >= 0);
    for (ssize_t i = 0; i < count; i++) assert(buffer->base[i] == data[received + i]);
    received += count;
}

int main(void) {
    static uv_buf_t parts[PARTS];
    int ends[2];
    uv_loop_init(&loop);
    local_sockets(ends);
    uv_pipe_init(&loop, &pipe_, 0);
    uv_pipe_init(&loop, &reader, 0);
    uv_pipe_open(&pipe_, ends[0]);
    uv_pipe_open(&reader, ends[1]);
    for (int i = 0; i < PARTS * 3; i++) data[i] = (char)(i * 3 + i / 100);
    for (int i = 0; i < PARTS; i++) parts[i] = uv_buf_init(data + i * 3, 3);
    uv_read_start(STREAM(&reader), on_alloc, on_read);
    static const unsigned counts[] = {3, 4, 5, 255, 256, 257, 1023, 1024, 1025, PARTS};
    for (size_t i = 0; i < COUNT(counts); i++) {
        print("%u buffers", counts[i]);
        received = 0;
        print("  write %s", code(uv_write(&write_, STREAM(&pipe_), parts, counts[i], on_write)));
        memset(parts, 0, sizeof parts);
        for (int k = 0; k < PARTS; k++) parts[k] = uv_buf_init(data + k * 3, 3);
        while (received < counts[i] * 3) uv_run(&loop, UV_RUN_NOWAIT);
        uv_run(&loop, UV_RUN_NOWAIT);
        print("  received %zu", received);
        received = 0;
        int tried = uv_try_write(STREAM(&pipe_), parts, counts[i]);
        print("  try_write %d", tried);
        for (int n = 0; n < 4; n++) uv_run(&loop, UV_RUN_NOWAIT);
        print("  received %zu", received);
    }
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
