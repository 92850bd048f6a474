/* A stream that always has more to read does not keep others from their turn. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t busy, quiet;
static int busy_peer, reads, between[3], rounds;
static char chunk[64];

static void on_tiny(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(room, 16);
}

static void on_busy(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream, (void)buffer;
    assert(count == 16);
    reads++;
    /* Never empty: more is written than was read. */
    assert(write(busy_peer, chunk, 16) == 16);
}

static void on_prepare(uv_prepare_t *prepare) {
    if (rounds < 3) between[rounds] = reads;
    reads = 0;
    if (++rounds == 3) {
        uv_prepare_stop(prepare);
        uv_read_stop(STREAM(&busy));
    }
}

static void on_quiet(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    say("quiet %s in round %d", length_or_code(count), rounds);
    uv_close(HANDLE(stream), NULL);
}

int main(void) {
    uv_prepare_t prepare;
    uv_loop_init(&loop);
    busy_peer = pipe_with_peer(&loop, &busy);
    int peer = pipe_with_peer(&loop, &quiet);
    for (int i = 0; i < 100; i++) assert(write(busy_peer, chunk, 16) == 16);
    assert(write(peer, "x", 1) == 1);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    uv_read_start(STREAM(&busy), on_tiny, on_busy);
    uv_read_start(STREAM(&quiet), on_alloc, on_quiet);
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    say("reads in one turn %d %d", between[1], between[2]);
    close(busy_peer);
    close(peer);
    say("finish %s", code(finish(&loop)));
    return 0;
}
