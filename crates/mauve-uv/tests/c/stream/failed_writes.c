/* Writes that fail: when each is attempted, and how long it counts in the write queue size. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t pipe_;
static uv_write_t writes[5];
static int close_in_callback = -1;
static char data[4 << 20];

static void on_write(uv_write_t *request, int status) {
    uv_buf_t small = uv_buf_init(data, 10);
    int which = request - writes;
    print("  write %d %s, queue %zu, same as field %d", which, code(status),
          uv_stream_get_write_queue_size(request->handle),
          request->handle->write_queue_size == uv_stream_get_write_queue_size(request->handle));
    if (!uv_is_closing(HANDLE(request->handle))) {
        print("  try_write %s", code(uv_try_write(request->handle, &small, 1)));
    }
    if (which == close_in_callback) uv_close(HANDLE(request->handle), NULL);
}

static void peer_closes(int closes) {
    uv_buf_t whole = uv_buf_init(data, sizeof data);
    uv_buf_t small = uv_buf_init(data, 10);
    close_in_callback = closes;
    print("closing in %d", closes);
    uv_loop_init(&loop);
    int peer = pipe_with_peer(&loop, &pipe_);
    uv_write(&writes[0], STREAM(&pipe_), &whole, 1, on_write);
    uv_write(&writes[1], STREAM(&pipe_), &small, 1, on_write);
    uv_write(&writes[2], STREAM(&pipe_), &small, 1, on_write);
    uv_run(&loop, UV_RUN_NOWAIT);
    close(peer);
    for (int i = 0; i < 6; i++) {
        print("  run");
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    if (closes < 0) {
        print("  write %s", code(uv_write(&writes[3], STREAM(&pipe_), &small, 1, on_write)));
        print("  queue %zu", pipe_.write_queue_size);
        print("  write %s", code(uv_write(&writes[4], STREAM(&pipe_), &whole, 1, on_write)));
        print("  queue %zu", pipe_.write_queue_size);
        print("  try_write %s", code(uv_try_write(STREAM(&pipe_), &small, 1)));
    }
    print("  close_loop %s", code(close_loop(&loop)));
}

static void cancelled(int after_failing) {
    uv_buf_t whole = uv_buf_init(data, sizeof data);
    uv_buf_t small = uv_buf_init(data, 10);
    print("cancelled, after failing %d", after_failing);
    close_in_callback = -1;
    uv_loop_init(&loop);
    int peer = pipe_with_peer(&loop, &pipe_);
    if (after_failing) close(peer);
    uv_write(&writes[0], STREAM(&pipe_), &small, 1, on_write);
    uv_write(&writes[1], STREAM(&pipe_), &whole, 1, on_write);
    uv_write(&writes[2], STREAM(&pipe_), &small, 1, on_write);
    print("  queued %d", pipe_.write_queue_size > 10);
    uv_close(HANDLE(&pipe_), NULL);
    print("  queued %d", pipe_.write_queue_size > 10);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  queue %zu", pipe_.write_queue_size);
    print("  close_loop %s", code(close_loop(&loop)));
    if (!after_failing) close(peer);
}

static void fail_before_first_callback(int closes) {
    uv_buf_t small = uv_buf_init(data, 10);
    print("failing before the first callback, closing in %d", closes);
    close_in_callback = closes;
    uv_loop_init(&loop);
    close(pipe_with_peer(&loop, &pipe_));
    for (int i = 0; i < 3; i++) uv_write(&writes[i], STREAM(&pipe_), &small, 1, on_write);
    uv_run(&loop, UV_RUN_NOWAIT);
    print("  close_loop %s", code(close_loop(&loop)));
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    peer_closes(-1);
    peer_closes(0);
    peer_closes(1);
    cancelled(1);
    cancelled(0);
    fail_before_first_callback(-1);
    fail_before_first_callback(0);
    fail_before_first_callback(1);
    return 0;
}
