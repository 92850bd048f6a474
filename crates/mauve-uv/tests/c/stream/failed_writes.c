/* Writes that fail: when each is tried, and how long it counts as queued. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t pipe_;
static uv_write_t writes[5];
static int closes_in = -1;
static char data[4 << 20];

static void on_write(uv_write_t *request, int status) {
    uv_buf_t small = uv_buf_init(data, 10);
    int which = request - writes;
    say("  write %d %s, queue %zu, is field %d", which, code(status),
        uv_stream_get_write_queue_size(request->handle),
        request->handle->write_queue_size == uv_stream_get_write_queue_size(request->handle));
    if (!uv_is_closing(HANDLE(request->handle))) {
        say("  try_write %s", code(uv_try_write(request->handle, &small, 1)));
    }
    if (which == closes_in) uv_close(HANDLE(request->handle), NULL);
}

static void scene(int closes) {
    uv_buf_t whole = uv_buf_init(data, sizeof data);
    uv_buf_t small = uv_buf_init(data, 10);
    closes_in = closes;
    say("closing in %d", closes);
    uv_loop_init(&loop);
    int peer = pipe_with_peer(&loop, &pipe_);
    uv_write(&writes[0], STREAM(&pipe_), &whole, 1, on_write);
    uv_write(&writes[1], STREAM(&pipe_), &small, 1, on_write);
    uv_write(&writes[2], STREAM(&pipe_), &small, 1, on_write);
    uv_run(&loop, UV_RUN_NOWAIT);
    close(peer);
    for (int i = 0; i < 6; i++) {
        say("  run");
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    if (closes < 0) {
        say("  write %s", code(uv_write(&writes[3], STREAM(&pipe_), &small, 1, on_write)));
        say("  queue %zu", pipe_.write_queue_size);
        say("  write %s", code(uv_write(&writes[4], STREAM(&pipe_), &whole, 1, on_write)));
        say("  queue %zu", pipe_.write_queue_size);
        say("  try_write %s", code(uv_try_write(STREAM(&pipe_), &small, 1)));
    }
    say("  finish %s", code(finish(&loop)));
}

static void cancelled(int after_failing) {
    uv_buf_t whole = uv_buf_init(data, sizeof data);
    uv_buf_t small = uv_buf_init(data, 10);
    say("cancelled, after failing %d", after_failing);
    closes_in = -1;
    uv_loop_init(&loop);
    int peer = pipe_with_peer(&loop, &pipe_);
    if (after_failing) close(peer);
    uv_write(&writes[0], STREAM(&pipe_), &small, 1, on_write);
    uv_write(&writes[1], STREAM(&pipe_), &whole, 1, on_write);
    uv_write(&writes[2], STREAM(&pipe_), &small, 1, on_write);
    say("  something is queued %d", pipe_.write_queue_size > 10);
    uv_close(HANDLE(&pipe_), NULL);
    say("  something is queued %d", pipe_.write_queue_size > 10);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  queue %zu", pipe_.write_queue_size);
    say("  finish %s", code(finish(&loop)));
    if (!after_failing) close(peer);
}

static void both_before_the_first_is_told(int closes) {
    uv_buf_t small = uv_buf_init(data, 10);
    say("both before the first is told, closing in %d", closes);
    closes_in = closes;
    uv_loop_init(&loop);
    close(pipe_with_peer(&loop, &pipe_));
    for (int i = 0; i < 3; i++) uv_write(&writes[i], STREAM(&pipe_), &small, 1, on_write);
    uv_run(&loop, UV_RUN_NOWAIT);
    say("  finish %s", code(finish(&loop)));
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    scene(-1);
    scene(0);
    scene(1);
    cancelled(1);
    cancelled(0);
    both_before_the_first_is_told(-1);
    both_before_the_first_is_told(0);
    both_before_the_first_is_told(1);
    return 0;
}
