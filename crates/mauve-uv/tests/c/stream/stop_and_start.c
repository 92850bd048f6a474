/* Reading is stopped and started inside the callback. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t pipe_;
static int peer, calls;
static int plan;

static void on_tiny(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    say("  alloc %zu", size);
    *buffer = uv_buf_init(room, 4);
}

static void on_other(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    say("  other %s %.*s", length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    if (count < 0) uv_close(HANDLE(stream), NULL);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    say("  read %s %.*s", length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    if (count < 0) return uv_close(HANDLE(stream), NULL);
    if (++calls > 1 && plan != 3) return;
    switch (plan) {
    case 0:
        say("  stop %s", code(uv_read_stop(stream)));
        break;
    case 1:
        say("  stop %s", code(uv_read_stop(stream)));
        say("  stop %s", code(uv_read_stop(stream)));
        say("  start %s", code(uv_read_start(stream, on_tiny, on_other)));
        break;
    case 2:
        say("  start %s", code(uv_read_start(stream, on_tiny, on_other)));
        break;
    case 3:
        uv_read_stop(stream);
        uv_read_start(stream, on_tiny, on_read);
        break;
    }
    state("  inside", stream);
}

int main(void) {
    for (plan = 0; plan < 4; plan++) {
        say("plan %d", plan);
        calls = 0;
        uv_loop_init(&loop);
        peer = pipe_with_peer(&loop, &pipe_);
        say("  NULL %s", code(uv_read_start(STREAM(&pipe_), NULL, on_read)));
        say("  NULL %s", code(uv_read_start(STREAM(&pipe_), on_tiny, NULL)));
        say("  start %s", code(uv_read_start(STREAM(&pipe_), on_tiny, on_read)));
        say("  start %s", code(uv_read_start(STREAM(&pipe_), on_tiny, on_other)));
        assert(write(peer, "abcdefghijkl", 12) == 12);
        for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
        close(peer);
        for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
        state("  before closing", &pipe_);
        if (!uv_is_closing(HANDLE(&pipe_))) {
            uv_read_stop(STREAM(&pipe_));
            say("  start %s", code(uv_read_start(STREAM(&pipe_), on_tiny, on_other)));
            for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
        }
        say("  finish %s", code(finish(&loop)));
    }
    return 0;
}
