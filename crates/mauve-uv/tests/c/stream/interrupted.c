/* A call that a signal interrupts is made again; one for which the kernel has no memory is made
 * again when there is room. Neither is an error of the stream. */
#include "net.h"

#include "fail_first.h"

enum { TIMES = 3 };

static uv_loop_t loop;
static uv_pipe_t channel, peer, passed;
static uv_write_t writes[2];
static size_t got;
static int handles;

static void on_write(uv_write_t *request, int status) {
    say("  write %d: %s", (int)(request - writes), code(status));
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    if (count < 0) {
        say("  read: %s", code(count));
        return uv_close(HANDLE(stream), NULL);
    }
    got += count;
    handles = uv_pipe_pending_count((uv_pipe_t *)stream);
    if (got == 7) uv_read_stop(stream);
}

/* Two writes and a handle; the calls of one end fail. */
static void play(const char *name, int watched, int ipc, int error) {
    int ends[2], others[2];
    uv_buf_t words[] = {uv_buf_init("fo", 2), uv_buf_init("ur", 2)};
    uv_buf_t three = uv_buf_init("one", 3);
    say("%s", name);
    got = handles = 0;
    uv_loop_init(&loop);
    local_sockets(ends);
    local_sockets(others);
    if (!watch_calls(ends[watched])) exit(0);
    uv_pipe_init(&loop, &channel, ipc);
    uv_pipe_init(&loop, &peer, ipc);
    uv_pipe_init(&loop, &passed, 0);
    uv_pipe_open(&channel, ends[0]);
    uv_pipe_open(&peer, ends[1]);
    uv_pipe_open(&passed, others[0]);
    uv_read_start(STREAM(&peer), on_alloc, on_read);
    fail_first(TIMES, error);
    if (ipc) uv_write2(&writes[0], STREAM(&channel), &three, 1, STREAM(&passed), on_write);
    else uv_write(&writes[0], STREAM(&channel), &three, 1, on_write);
    uv_write(&writes[1], STREAM(&channel), words, 2, on_write);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  got %zu, handles %d, failed %d", got, handles, calls_that_fail <= 0);
    say("  close %s", code(finish(&loop)));
    close(others[1]);
}

int main(void) {
    play("interrupted writes", 0, 0, EINTR);
    play("interrupted reads", 1, 0, EINTR);
    play("interrupted writes with a handle", 0, 1, EINTR);
    play("interrupted reads of a handle", 1, 1, EINTR);
    play("writes without memory", 0, 0, ENOBUFS);
    play("writes with a handle, without memory", 0, 1, ENOBUFS);
    return 0;
}
