/* uv_read_stop and uv_read_start in a read callback. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t pipe_;
static int peer, calls;
static int case_;

static void on_tiny(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    print("  alloc %zu", size);
    *buffer = uv_buf_init(read_buffer, 4);
}

static void on_other_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    print("  other %s %.*s", length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    if (count < 0) uv_close(HANDLE(stream), NULL);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    print("  read %s %.*s", length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    if (count < 0) return uv_close(HANDLE(stream), NULL);
    if (++calls > 1 && case_ != 3) return;
    switch (case_) {
    case 0:
        print("  stop %s", code(uv_read_stop(stream)));
        break;
    case 1:
        print("  stop %s", code(uv_read_stop(stream)));
        print("  stop %s", code(uv_read_stop(stream)));
        print("  start %s", code(uv_read_start(stream, on_tiny, on_other_read)));
        break;
    case 2:
        print("  start %s", code(uv_read_start(stream, on_tiny, on_other_read)));
        break;
    case 3:
        uv_read_stop(stream);
        uv_read_start(stream, on_tiny, on_read);
        break;
    }
    print_stream_state("  inside", stream);
}

int main(void) {
    for (case_ = 0; case_ < 4; case_++) {
        print("case %d", case_);
        calls = 0;
        uv_loop_init(&loop);
        peer = pipe_with_peer(&loop, &pipe_);
        print("  NULL %s", code(uv_read_start(STREAM(&pipe_), NULL, on_read)));
        print("  NULL %s", code(uv_read_start(STREAM(&pipe_), on_tiny, NULL)));
        print("  start %s", code(uv_read_start(STREAM(&pipe_), on_tiny, on_read)));
        print("  start %s", code(uv_read_start(STREAM(&pipe_), on_tiny, on_other_read)));
        assert(write(peer, "abcdefghijkl", 12) == 12);
        for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
        close(peer);
        for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
        print_stream_state("  before closing", &pipe_);
        if (!uv_is_closing(HANDLE(&pipe_))) {
            uv_read_stop(STREAM(&pipe_));
            print("  start %s", code(uv_read_start(STREAM(&pipe_), on_tiny, on_other_read)));
            for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
        }
        print("  close_loop %s", code(close_loop(&loop)));
    }
    return 0;
}
