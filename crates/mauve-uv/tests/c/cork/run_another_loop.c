/* Two writes in a callback, which then runs another loop until the peer has received both. */
#include "cork/two_writes.h"

static uv_loop_t inner;
static uv_tcp_t reader;
static size_t total;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    assert(count >= 0);
    total += count;
    print("  inner loop: %.*s", total == 8 ? 8 : 0, buffer->base + count - total);
    if (total == 8) uv_close(HANDLE(stream), NULL);
}

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    assert(uv_loop_init(&inner) == 0);
    assert(uv_tcp_init(&inner, &reader) == 0);
    assert(uv_tcp_open(&reader, dup(peer)) == 0);
    assert(uv_read_start(STREAM(&reader), on_alloc, on_read) == 0);
    write_twice();
    /* Both writes are in the socket buffer by now, so one read returns them. */
    print("  run %d", uv_run(&inner, UV_RUN_DEFAULT));
    print("  close %s", code(uv_loop_close(&inner)));
}

int main(void) {
    run_scenario("uv_run of another loop", on_timer);
    return 0;
}
