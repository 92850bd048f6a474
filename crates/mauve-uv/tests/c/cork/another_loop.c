/* Two writes in a callback, which then runs another loop until the peer has both. */
#include "cork/two_writes.h"

static uv_loop_t inner;
static uv_tcp_t reader;
static size_t got;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    assert(count >= 0);
    got += count;
    say("  inner loop: %.*s", got == 8 ? 8 : 0, buffer->base + count - got);
    if (got == 8) uv_close(HANDLE(stream), NULL);
}

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    assert(uv_loop_init(&inner) == 0);
    assert(uv_tcp_init(&inner, &reader) == 0);
    assert(uv_tcp_open(&reader, dup(peer)) == 0);
    assert(uv_read_start(STREAM(&reader), on_alloc, on_read) == 0);
    write_twice();
    /* All that is written has arrived by now, so it is read in one piece. */
    say("  run %d", uv_run(&inner, UV_RUN_DEFAULT));
    say("  close %s", code(uv_loop_close(&inner)));
}

int main(void) {
    play("uv_run of another loop", on_timer);
    return 0;
}
