/* A stream that always has data does not starve others: reads per iteration are bounded. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t busy, idle;
static int busy_peer, reads, reads_per_iteration[3], iterations;
static char chunk[64];

static void on_tiny(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(read_buffer, 16);
}

static void on_busy_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream, (void)buffer;
    assert(count == 16);
    reads++;
    /* Keeps the socket readable. */
    assert(write(busy_peer, chunk, 16) == 16);
}

static void on_prepare(uv_prepare_t *prepare) {
    if (iterations < 3) reads_per_iteration[iterations] = reads;
    reads = 0;
    if (++iterations == 3) {
        uv_prepare_stop(prepare);
        uv_read_stop(STREAM(&busy));
    }
}

static void on_idle_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("quiet %s in iteration %d", length_or_code(count), iterations);
    uv_close(HANDLE(stream), NULL);
}

int main(void) {
    uv_prepare_t prepare;
    uv_loop_init(&loop);
    busy_peer = pipe_with_peer(&loop, &busy);
    int peer = pipe_with_peer(&loop, &idle);
    for (int i = 0; i < 100; i++) assert(write(busy_peer, chunk, 16) == 16);
    assert(write(peer, "x", 1) == 1);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    uv_read_start(STREAM(&busy), on_tiny, on_busy_read);
    uv_read_start(STREAM(&idle), on_alloc, on_idle_read);
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    print("reads per iteration %d %d", reads_per_iteration[1], reads_per_iteration[2]);
    close(busy_peer);
    close(peer);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
