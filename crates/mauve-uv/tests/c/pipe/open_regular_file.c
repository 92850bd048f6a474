/* needs: mauve */
/* A regular file opened as a pipe: reading fails with UV_EPERM. libuv aborts. */
#include "net.h"

#include <fcntl.h>

static int reads;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    EXPECT(count, UV_EPERM);
    EXPECT(uv_is_readable(stream), 0);
    reads++;
}

int main(void) {
    char path[] = "/tmp/pipe-file-XXXXXX";
    uv_loop_t loop;
    uv_pipe_t pipe_;
    uv_buf_t buffer = uv_buf_init("text", 4);
    uv_loop_init(&loop);
    uv_pipe_init(&loop, &pipe_, 0);
    int fd = mkstemp(path);
    EXPECT(uv_pipe_open(&pipe_, fd), 0);
    EXPECT(uv_try_write(STREAM(&pipe_), &buffer, 1), 4);
    EXPECT(uv_read_start(STREAM(&pipe_), on_alloc, on_read), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(reads, 1);
    EXPECT(uv_read_start(STREAM(&pipe_), on_alloc, on_read), UV_ENOTCONN);
    EXPECT(close_loop(&loop), 0);
    unlink(path);
    return 0;
}
