/* needs: mauve */
/* uv_close in the alloc callback: no further callback but the close callback runs. */
#include "net.h"

static uv_loop_t loop;
static int gives_buffer;

static void on_close(uv_handle_t *handle) {
    record_event("close");
    memset(handle, 0xa5, sizeof(uv_pipe_t));
    free(handle);
}

static void on_closing_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)size;
    record_event("alloc");
    uv_close(handle, on_close);
    *buffer = gives_buffer ? uv_buf_init(read_buffer, sizeof read_buffer) : uv_buf_init(NULL, 0);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream, (void)count, (void)buffer;
    record_event("read");
}

int main(void) {
    uv_loop_init(&loop);
    for (gives_buffer = 0; gives_buffer < 2; gives_buffer++) {
        uv_pipe_t *pipe_ = malloc(sizeof *pipe_);
        int peer = pipe_with_peer(&loop, pipe_);
        EXPECT(uv_read_start(STREAM(pipe_), on_closing_alloc, on_read), 0);
        EXPECT(write(peer, "x", 1), 1);
        uv_run(&loop, UV_RUN_DEFAULT);
        EXPECT_EVENTS("alloc close ");
        close(peer);
    }
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
