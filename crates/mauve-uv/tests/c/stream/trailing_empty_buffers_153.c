/* needs: 1.53 */
/* A write that ends in empty buffers ends with its last byte, also if it is sent in several parts, and
 * to descriptors that cannot be polled. */
#include "net.h"

static uv_loop_t loop;
static uv_write_t write_;
static uv_prepare_t prepare;
static int iteration;
static char bytes[200000];

static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    iteration++;
}

static void on_write(uv_write_t *request, int status) {
    print("  iteration %d: %s, %zu bytes, queue %zu", iteration, code(status), uv_write_nwritten(request),
          uv_stream_get_write_queue_size(request->handle));
}

static void check(const char *name, int fd, int reader, const size_t *sizes, unsigned count) {
    uv_pipe_t stream;
    uv_buf_t *buffers = calloc(count, sizeof *buffers);
    print("%s", name);
    iteration = 0;
    uv_pipe_init(&loop, &stream, 0);
    EXPECT(uv_pipe_open(&stream, fd), 0);
    for (unsigned i = 0; i < count; i++) buffers[i] = uv_buf_init(sizes[i] ? bytes : NULL, sizes[i]);
    print("  write: %s, queue %zu", code(uv_write(&write_, STREAM(&stream), buffers, count, on_write)),
          uv_stream_get_write_queue_size(STREAM(&stream)));
    for (int i = 0; i < 8; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        if (reader >= 0) while (read(reader, bytes, sizeof bytes) > 0) continue;
    }
    uv_close(HANDLE(&stream), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    if (reader >= 0) close(reader);
    free(buffers);
}

static void check_pipe(const char *name, const size_t *sizes, unsigned count) {
    int ends[2];
    assert(pipe2(ends, O_NONBLOCK) == 0 && fcntl(ends[1], F_SETPIPE_SZ, 65536) == 65536);
    check(name, ends[1], ends[0], sizes, count);
}

int main(void) {
    static const size_t HELLO[] = {6, 0}, EMPTY[] = {0}, EMPTIES[] = {0, 0, 0}, MIXED[] = {0, 3, 0, 4, 0, 0};
    static const size_t LARGE[] = {150000, 0, 0}, LARGE_MIXED[] = {0, 65536, 0, 0, 65536, 0, 18928, 0};
    static size_t many[3000];
    uv_loop_init(&loop);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    check("/dev/null, 6 bytes and an empty buffer", open("/dev/null", O_WRONLY), -1, HELLO, COUNT(HELLO));
    check("/dev/null, an empty buffer", open("/dev/null", O_WRONLY), -1, EMPTY, COUNT(EMPTY));
    check("/dev/null, empty buffers", open("/dev/null", O_WRONLY), -1, EMPTIES, COUNT(EMPTIES));
    check("/dev/null, mixed", open("/dev/null", O_WRONLY), -1, MIXED, COUNT(MIXED));
    check_pipe("pipe, 6 bytes and an empty buffer", HELLO, COUNT(HELLO));
    check_pipe("pipe, empty buffers", EMPTIES, COUNT(EMPTIES));
    check_pipe("pipe, mixed", MIXED, COUNT(MIXED));
    check_pipe("pipe, large", LARGE, COUNT(LARGE));
    check_pipe("pipe, large and mixed", LARGE_MIXED, COUNT(LARGE_MIXED));
    check_pipe("pipe, 3000 empty buffers", many, COUNT(many));
    many[0] = 5;
    check_pipe("pipe, 5 bytes and 2999 empty buffers", many, COUNT(many));
    many[2999] = 5;
    check_pipe("pipe, 10 bytes in 3000 buffers", many, COUNT(many));
    EXPECT(close_loop(&loop), 0);
    return 0;
}
