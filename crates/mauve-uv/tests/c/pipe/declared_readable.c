/* uvloop marks a write-only pipe as readable, to notice that the reader is gone: then reading starts,
 * and fails. */
#include "net.h"

enum { READABLE = 0x4000 };

static uv_loop_t loop;
static uv_pipe_t writer;
static int peer;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    say("read %s", length_or_code(count));
    state("inside", stream);
}

static void on_timer(uv_timer_t *timer) {
    say("the reader is closed");
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
    say("open %s", code(uv_pipe_open(&writer, fds[1])));
    state("open", &writer);
    say("start %s", code(uv_read_start(STREAM(&writer), on_alloc, on_read)));
    writer.flags |= READABLE;
    state("declared", &writer);
    say("start %s", code(uv_read_start(STREAM(&writer), on_alloc, on_read)));
    state("reading", &writer);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    state("after", &writer);
    say("start %s", code(uv_read_start(STREAM(&writer), on_alloc, on_read)));

    /* The flag may also be set before there is a descriptor. */
    assert(pipe(fds) == 0);
    peer = fds[0];
    uv_close(HANDLE(&writer), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_pipe_init(&loop, &writer, 0);
    writer.flags |= READABLE;
    say("open %s", code(uv_pipe_open(&writer, fds[1])));
    state("declared before", &writer);
    say("start %s", code(uv_read_start(STREAM(&writer), on_alloc, on_read)));
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("finish %s", code(finish(&loop)));
    return 0;
}
