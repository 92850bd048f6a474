/* needs: 1.52 */
/* An alloc callback may provide a buffer that is longer than the kernel reads in one call. Its
 * length need not even fit into the address space. */
#include "test.h"

#include <sys/socket.h>

static char memory[64];
static size_t length;
static ssize_t last;
static int calls;

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    (void)size;
    buffer->base = memory;
    buffer->len = length;
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream;
    EXPECT(buffer->len == length, 1);
    if (count == 0) return;
    last = count;
    calls++;
}

static void read_pipe(uv_loop_t *loop) {
    uv_pipe_t pipe;
    int pair[2];
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    EXPECT(uv_pipe_init(loop, &pipe, 0), 0);
    EXPECT(uv_pipe_open(&pipe, pair[0]), 0);
    EXPECT(write(pair[1], "hello", 5), 5);
    EXPECT(uv_read_start((uv_stream_t *)&pipe, on_alloc, on_read), 0);
    for (calls = 0; calls < 1;) uv_run(loop, UV_RUN_ONCE);
    EXPECT(last, 5);
    close(pair[1]);
    for (calls = 0; calls < 1;) uv_run(loop, UV_RUN_ONCE);
    EXPECT(last, UV_EOF);
    uv_close((uv_handle_t *)&pipe, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
}

int main(void) {
    uv_loop_t loop;
    size_t lengths[] = {64, (size_t)1 << 31, (size_t)1 << 32, (size_t)1 << 62, SIZE_MAX};
    EXPECT(uv_loop_init(&loop), 0);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        length = lengths[i];
        read_pipe(&loop);
    }
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
