/* uvloop sets the readable flag of a write-only pipe to detect that the reader has closed:
 * uv_read_start succeeds, and the read fails. */
#include "net.h"

enum { READABLE = 0x4000 };

static uv_loop_t loop;
static uv_pipe_t writer;
static int peer;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("read %s", length_or_code(count));
    print_stream_state("inside", stream);
}

static void on_timer(uv_timer_t *timer) {
    print("the reader is closed");
    close(peer);
    uv_close(HANDLE(timer), NULL);
}

int main(void) {
    uv_timer_t timer;
    int fds[2];

    uv_loop_init(&loop);
    assert(pipe(fds) == 0);
    peer = fds[0];
    uv_pipe_init(&loop, &writer, 0);
    print("open %s", code(uv_pipe_open(&writer, fds[1])));
    print_stream_state("open", &writer);
    print("start %s", code(uv_read_start(STREAM(&writer), on_alloc, on_read)));
    writer.flags |= READABLE;
    print_stream_state("flag set", &writer);
    print("start %s", code(uv_read_start(STREAM(&writer), on_alloc, on_read)));
    print_stream_state("reading", &writer);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    print_stream_state("after", &writer);
    print("start %s", code(uv_read_start(STREAM(&writer), on_alloc, on_read)));

    /* The flag is set before uv_pipe_open. */
    assert(pipe(fds) == 0);
    peer = fds[0];
    uv_close(HANDLE(&writer), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_pipe_init(&loop, &writer, 0);
    writer.flags |= READABLE;
    print("open %s", code(uv_pipe_open(&writer, fds[1])));
    print_stream_state("flag set before open", &writer);
    print("start %s", code(uv_read_start(STREAM(&writer), on_alloc, on_read)));
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
