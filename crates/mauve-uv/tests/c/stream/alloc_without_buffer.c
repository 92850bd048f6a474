/* The alloc callback returns no buffer: the read callback gets UV_ENOBUFS in every iteration with
 * data. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t pipe_;
static int failures, case_;

static void on_alloc_failing(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    print("  alloc %zu, active %d", size, uv_is_active(handle));
    if (failures-- > 0) {
        if (case_ == 0) *buffer = uv_buf_init(NULL, 0);
        if (case_ == 1) *buffer = uv_buf_init(NULL, 10);
        if (case_ == 2) *buffer = uv_buf_init(read_buffer, 0);
        /* case 3: the buffer is not set */
        return;
    }
    *buffer = uv_buf_init(read_buffer, 3);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    print("  read %s, length %d", length_or_code(count), count >= 0 ? (int)buffer->len : 0);
    print_stream_state("  inside", stream);
    if (count == UV_EOF) uv_close(HANDLE(stream), NULL);
}

int main(void) {
    uv_loop_init(&loop);
    for (case_ = 0; case_ < 4; case_++) {
        print("case %d", case_);
        failures = 2;
        int peer = pipe_with_peer(&loop, &pipe_);
        uv_read_start(STREAM(&pipe_), on_alloc_failing, on_read);
        assert(write(peer, "abcdefgh", 8) == 8);
        for (int i = 0; i < 4; i++) {
            print("  run");
            uv_run(&loop, UV_RUN_NOWAIT);
        }
        close(peer);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
