/* uv_read_start with another callback in the alloc callback. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t pipe_;
static int case_, allocs;

static void on_other_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("  other %s", length_or_code(count));
    print_stream_state("  ", stream);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("  read %s", length_or_code(count));
    print_stream_state("  ", stream);
}

static void on_alloc_restart(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)size;
    print("  alloc");
    *buffer = uv_buf_init(read_buffer, 4);
    if (++allocs > 1) return;
    switch (case_) {
    case 0:
        uv_read_stop(STREAM(handle));
        print("  start %s", code(uv_read_start(STREAM(handle), on_alloc_restart, on_other_read)));
        break;
    case 1:
        print("  start %s", code(uv_read_start(STREAM(handle), on_alloc_restart, on_other_read)));
        break;
    }
}

int main(void) {
    uv_loop_init(&loop);
    for (case_ = 0; case_ < 2; case_++) {
        print("case %d", case_);
        allocs = 0;
        int peer = pipe_with_peer(&loop, &pipe_);
        uv_read_start(STREAM(&pipe_), on_alloc_restart, on_read);
        assert(write(peer, "abcdef", 6) == 6);
        for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
        uv_close(HANDLE(&pipe_), NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        close(peer);
    }
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
