/* needs: 1.52 */
/* Both ends of a connection are in one loop. One writes, shuts down and closes: its close callback
 * runs before the other end reads UV_EOF, one iteration after the last bytes. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t reader, writer;
static uv_write_t last;
static uv_shutdown_t shutdown_request;
static int close_early;

static void on_close(uv_handle_t *handle) {
    record_event(handle == HANDLE(&writer) ? "closed" : "reader-closed");
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    EXPECT(status, 0);
    record_event("shutdown");
    uv_close(HANDLE(request->handle), on_close);
}

static void on_written(uv_write_t *request, int status) {
    (void)request;
    record_event(code(status));
    record_event("written");
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    record_event(length_or_code(count));
    if (count < 0) uv_close(HANDLE(stream), on_close);
}

static void on_timer(uv_timer_t *timer) {
    uv_buf_t bytes = uv_buf_init("late", 4);
    EXPECT(uv_write(&last, STREAM(&writer), &bytes, 1, on_written), 0);
    if (close_early) {
        uv_close(HANDLE(&writer), on_close);
    } else {
        EXPECT(uv_shutdown(&shutdown_request, STREAM(&writer), on_shutdown), 0);
    }
    uv_close(HANDLE(timer), NULL);
}

static void run_scenario(const char *wanted) {
    uv_timer_t timer;
    int peer = pipe_with_peer(&loop, &reader);
    EXPECT(uv_pipe_init(&loop, &writer, 0), 0);
    EXPECT(uv_pipe_open(&writer, peer), 0);
    EXPECT(uv_read_start(STREAM(&reader), on_alloc, on_read), 0);
    EXPECT(uv_timer_init(&loop, &timer), 0);
    EXPECT(uv_timer_start(&timer, on_timer, 1, 0), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT_EVENTS(wanted);
}

int main(void) {
    uv_loop_init(&loop);
    run_scenario("0 written shutdown 4 closed EOF reader-closed ");
    close_early = 1;
    run_scenario("4 0 written closed EOF reader-closed ");
    EXPECT(close_loop(&loop), 0);
    return 0;
}
