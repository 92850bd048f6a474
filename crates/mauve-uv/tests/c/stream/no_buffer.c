/* alloc gives no buffer: the reader hears ENOBUFS, as often as there is something to read. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t pipe_;
static int refusals, plan;

static void on_refuse(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    say("  alloc %zu, active %d", size, uv_is_active(handle));
    if (refusals-- > 0) {
        if (plan == 0) *buffer = uv_buf_init(NULL, 0);
        if (plan == 1) *buffer = uv_buf_init(NULL, 10);
        if (plan == 2) *buffer = uv_buf_init(room, 0);
        /* plan 3: untouched */
        return;
    }
    *buffer = uv_buf_init(room, 3);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    say("  read %s, length %d", length_or_code(count), count >= 0 ? (int)buffer->len : 0);
    state("  inside", stream);
    if (count == UV_EOF) uv_close(HANDLE(stream), NULL);
}

int main(void) {
    uv_loop_init(&loop);
    for (plan = 0; plan < 4; plan++) {
        say("plan %d", plan);
        refusals = 2;
        int peer = pipe_with_peer(&loop, &pipe_);
        uv_read_start(STREAM(&pipe_), on_refuse, on_read);
        assert(write(peer, "abcdefgh", 8) == 8);
        for (int i = 0; i < 4; i++) {
            say("  run");
            uv_run(&loop, UV_RUN_NOWAIT);
        }
        close(peer);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
