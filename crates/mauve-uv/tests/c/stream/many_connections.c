/* needs: mauve */
/* 10,000 idle connections and 100 busy ones: bounded memory per connection, and none starves. */
#include "net.h"

#include <sys/resource.h>

#include "alloc_count.h"

/* Twice the size of uv_pipe_t. */
enum { IDLE = 10000, BUSY = 100, MOST_BYTES = 2 * 248 };

static uv_loop_t loop;
static uv_pipe_t idle[IDLE], busy[BUSY];
static int peers[BUSY], reads[BUSY], idle_reads;
static char chunk[16 * 40];

static void on_tiny(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(read_buffer, 16);
}

static void on_idle_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    EXPECT(count, 1);
    EXPECT(stream == STREAM(&idle[IDLE / 2]), 1);
    idle_reads++;
}

static void on_busy_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    int which = (uv_pipe_t *)stream - busy;
    (void)buffer;
    EXPECT(count, 16);
    reads[which]++;
    /* Keeps the socket readable. */
    EXPECT(write(peers[which], chunk, 16), 16);
}

int main(void) {
    struct rlimit limit;
    int ends[2], single[2];

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
    local_sockets(single);
    for (int i = 0; i < IDLE; i++) {
        /* All but one share a silent peer, which halves the number of descriptors. */
        int fd = i == IDLE / 2 ? single[0] : dup(ends[0]);
        EXPECT(uv_pipe_init(&loop, &idle[i], 0), 0);
        EXPECT(uv_pipe_open(&idle[i], fd), 0);
        EXPECT(uv_read_start(STREAM(&idle[i]), on_alloc, on_idle_read), 0);
    }
    uv_run(&loop, UV_RUN_NOWAIT);
    long each = (allocated_bytes - before) / IDLE;
    fprintf(stderr, "%ld bytes for each connection\n", each);
    EXPECT(each <= MOST_BYTES, 1);

    for (int i = 0; i < BUSY; i++) {
        peers[i] = pipe_with_peer(&loop, &busy[i]);
        EXPECT(write(peers[i], chunk, sizeof chunk), sizeof chunk);
        EXPECT(uv_read_start(STREAM(&busy[i]), on_tiny, on_busy_read), 0);
    }
    for (int iteration = 0; iteration < 5; iteration++) uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(write(single[1], "x", 1), 1);
    memset(reads, 0, sizeof reads);
    for (int iteration = 0; iteration < 10; iteration++) uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(idle_reads, 1);
    for (int i = 0; i < BUSY; i++) {
        EXPECT(reads[i] > 0, 1);
        EXPECT(reads[i] <= 10 * 32, 1);
    }
    EXPECT(close_loop(&loop), 0);
    return 0;
}
