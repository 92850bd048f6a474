/* uv_write and uv_try_write: arguments, empty buffers, a full socket, one-way pipes. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t pipe_;
static uv_write_t writes[8];
static char data[1 << 20];

static void on_write(uv_write_t *request, int status) {
    print("  write %d %s, type %d, handle %d, queue %zu", (int)(request - writes), code(status),
          request->type == UV_WRITE, request->handle == STREAM(&pipe_),
          request->handle->write_queue_size);
}

static void arguments(void) {
    uv_buf_t buffer = uv_buf_init("x", 1);
    uv_buf_t empty = uv_buf_init(NULL, 0);
    uv_buf_t empties[3] = {empty, empty, empty};
    print("arguments");
    uv_pipe_init(&loop, &pipe_, 0);
    print("  no descriptor %s", code(uv_write(&writes[0], STREAM(&pipe_), &buffer, 1, on_write)));
    print("  no descriptor %s", code(uv_try_write(STREAM(&pipe_), &buffer, 1)));
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    int peer = pipe_with_peer(&loop, &pipe_);
    print("  empty %s", code(uv_write(&writes[1], STREAM(&pipe_), &empty, 1, on_write)));
    print("  queue %zu", pipe_.write_queue_size);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  three empty buffers %s",
          code(uv_write(&writes[2], STREAM(&pipe_), empties, 3, on_write)));
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  try empty %s", code(uv_try_write(STREAM(&pipe_), &empty, 1)));
    print("  without callback %s", code(uv_write(&writes[3], STREAM(&pipe_), &buffer, 1, NULL)));
    print_stream_state("  written", &pipe_);
    print("  alive %d", uv_loop_alive(&loop));
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  alive %d", uv_loop_alive(&loop));
    print("  try %d", uv_try_write(STREAM(&pipe_), &buffer, 1));
    print("  alive %d", uv_loop_alive(&loop));
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(peer);
}

static void full_pipe(void) {
    uv_buf_t whole = uv_buf_init(data, sizeof data);
    uv_buf_t small = uv_buf_init(data, 1);
    uv_buf_t empty = uv_buf_init(data, 0);
    print("full");
    int peer = pipe_with_peer(&loop, &pipe_);
    int count = uv_try_write(STREAM(&pipe_), &whole, 1);
    print("  partial %d, queue %zu", count > 0 && count < (int)sizeof data, pipe_.write_queue_size);
    do count = uv_try_write(STREAM(&pipe_), &small, 1);
    while (count > 0);
    print("  full %s", code(count));
    print("  empty %s", code(uv_try_write(STREAM(&pipe_), &empty, 1)));
    print("  write empty %s", code(uv_write(&writes[0], STREAM(&pipe_), &empty, 1, on_write)));
    print("  write %s", code(uv_write(&writes[1], STREAM(&pipe_), &small, 1, on_write)));
    print("  write empty %s", code(uv_write(&writes[2], STREAM(&pipe_), &empty, 1, on_write)));
    print("  try empty %s", code(uv_try_write(STREAM(&pipe_), &empty, 1)));
    print("  queue %zu", pipe_.write_queue_size);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    print_stream_state("  waiting", &pipe_);
    print("  alive %d", uv_loop_alive(&loop));
    uv_unref(HANDLE(&pipe_));
    print("  alive without reference %d", uv_loop_alive(&loop));
    while (recv(peer, read_buffer, sizeof read_buffer, MSG_DONTWAIT) > 0) continue;
    uv_run(&loop, UV_RUN_DEFAULT);
    print_stream_state("  done", &pipe_);
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(peer);
}

static void one_way_pipe(void) {
    int ends[2];
    uv_buf_t small = uv_buf_init(data, 1);
    uv_shutdown_t shutdown_request;
    print("one way");
    assert(pipe(ends) == 0);
    uv_pipe_init(&loop, &pipe_, 0);
    uv_pipe_open(&pipe_, ends[0]);
    print_stream_state("  reading end", &pipe_);
    print("  write %s", code(uv_write(&writes[0], STREAM(&pipe_), &small, 1, on_write)));
    print("  try_write %s", code(uv_try_write(STREAM(&pipe_), &small, 1)));
    print("  shutdown %s", code(uv_shutdown(&shutdown_request, STREAM(&pipe_), NULL)));
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_pipe_init(&loop, &pipe_, 0);
    uv_pipe_open(&pipe_, ends[1]);
    print_stream_state("  writing end", &pipe_);
    print("  read_start %s", code(uv_read_start(STREAM(&pipe_), on_alloc, NULL)));
    print("  read_start %s", code(uv_read_start(STREAM(&pipe_), on_alloc, (uv_read_cb)abort)));
    print("  write %s", code(uv_write(&writes[0], STREAM(&pipe_), &small, 1, on_write)));
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&loop);
    arguments();
    full_pipe();
    one_way_pipe();
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
