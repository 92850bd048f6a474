/* needs: mauve */
/* 10,000 idle connections and 100 busy ones: little memory for each, and everybody has a turn. */
#include "net.h"

#include <sys/resource.h>

#include "counting.h"

/* Twice the size of libuv's handle, which is the program's own memory here. */
enum { IDLE = 10000, BUSY = 100, MOST_BYTES = 2 * 248 };

static uv_loop_t loop;
static uv_pipe_t idle[IDLE], busy[BUSY];
static int peers[BUSY], reads[BUSY], idle_reads;
static char chunk[16 * 40];

static void on_tiny(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(room, 16);
}

static void on_idle(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    EXPECT(count, 1);
    EXPECT(stream == STREAM(&idle[IDLE / 2]), 1);
    idle_reads++;
}

static void on_busy(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    int which = (uv_pipe_t *)stream - busy;
    (void)buffer;
    EXPECT(count, 16);
    reads[which]++;
    /* There is always more. */
    EXPECT(write(peers[which], chunk, 16), 16);
}

int main(void) {
    struct rlimit limit;
    int ends[2], quiet[2];

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < IDLE + 3 * BUSY) {
        fprintf(stderr, "too few descriptors are allowed\n");
        return 1;
    }
    uv_loop_init(&loop);
    long before = allocated_bytes;
    local_sockets(ends);
    local_sockets(quiet);
    for (int i = 0; i < IDLE; i++) {
        /* All but one have the same peer, which never says a word: half as many descriptors. */
        int fd = i == IDLE / 2 ? quiet[0] : dup(ends[0]);
        EXPECT(uv_pipe_init(&loop, &idle[i], 0), 0);
        EXPECT(uv_pipe_open(&idle[i], fd), 0);
        EXPECT(uv_read_start(STREAM(&idle[i]), on_alloc, on_idle), 0);
    }
    uv_run(&loop, UV_RUN_NOWAIT);
    long each = (allocated_bytes - before) / IDLE;
    fprintf(stderr, "%ld bytes for each connection\n", each);
    EXPECT(each <= MOST_BYTES, 1);

    for (int i = 0; i < BUSY; i++) {
        peers[i] = pipe_with_peer(&loop, &busy[i]);
        EXPECT(write(peers[i], chunk, sizeof chunk), sizeof chunk);
        EXPECT(uv_read_start(STREAM(&busy[i]), on_tiny, on_busy), 0);
    }
    for (int turn = 0; turn < 5; turn++) uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(write(quiet[1], "x", 1), 1);
    memset(reads, 0, sizeof reads);
    for (int turn = 0; turn < 10; turn++) uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(idle_reads, 1);
    for (int i = 0; i < BUSY; i++) {
        EXPECT(reads[i] > 0, 1);
        EXPECT(reads[i] <= 10 * 32, 1);
    }
    EXPECT(finish(&loop), 0);
    return 0;
}
