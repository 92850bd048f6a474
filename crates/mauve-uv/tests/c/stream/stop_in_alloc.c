/* Reading is started with other callbacks while a buffer is being made. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t pipe_;
static int plan, allocs;

static void on_other(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    say("  other %s", length_or_code(count));
    state("  ", stream);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    say("  read %s", length_or_code(count));
    state("  ", stream);
}

static void on_meddling(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)size;
    say("  alloc");
    *buffer = uv_buf_init(room, 4);
    if (++allocs > 1) return;
    switch (plan) {
    case 0:
        uv_read_stop(STREAM(handle));
        say("  start %s", code(uv_read_start(STREAM(handle), on_meddling, on_other)));
        break;
    case 1:
        say("  start %s", code(uv_read_start(STREAM(handle), on_meddling, on_other)));
        break;
    }
}

int main(void) {
    uv_loop_init(&loop);
    for (plan = 0; plan < 2; plan++) {
        say("plan %d", plan);
        allocs = 0;
        int peer = pipe_with_peer(&loop, &pipe_);
        uv_read_start(STREAM(&pipe_), on_meddling, on_read);
        assert(write(peer, "abcdef", 6) == 6);
        for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
        uv_close(HANDLE(&pipe_), NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        close(peer);
    }
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
