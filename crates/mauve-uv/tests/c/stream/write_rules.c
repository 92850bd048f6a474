/* uv_write and uv_try_write: arguments, empty buffers, what is told when. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t pipe_;
static uv_write_t writes[8];
static char data[1 << 20];

static void on_write(uv_write_t *request, int status) {
    say("  write %d %s, type %d, handle %d, queue %zu", (int)(request - writes), code(status),
        request->type == UV_WRITE, request->handle == STREAM(&pipe_),
        request->handle->write_queue_size);
}

static void arguments(void) {
    uv_buf_t buffer = uv_buf_init("x", 1);
    uv_buf_t none = uv_buf_init(NULL, 0);
    uv_buf_t nones[3] = {none, none, none};
    say("arguments");
    uv_pipe_init(&loop, &pipe_, 0);
    say("  no descriptor %s", code(uv_write(&writes[0], STREAM(&pipe_), &buffer, 1, on_write)));
    say("  no descriptor %s", code(uv_try_write(STREAM(&pipe_), &buffer, 1)));
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    int peer = pipe_with_peer(&loop, &pipe_);
    say("  none %s", code(uv_write(&writes[1], STREAM(&pipe_), &none, 1, on_write)));
    say("  queue %zu", pipe_.write_queue_size);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  three times none %s", code(uv_write(&writes[2], STREAM(&pipe_), nones, 3, on_write)));
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  try none %s", code(uv_try_write(STREAM(&pipe_), &none, 1)));
    say("  without callback %s", code(uv_write(&writes[3], STREAM(&pipe_), &buffer, 1, NULL)));
    state("  written", &pipe_);
    say("  alive %d", uv_loop_alive(&loop));
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  alive %d", uv_loop_alive(&loop));
    say("  try %d", uv_try_write(STREAM(&pipe_), &buffer, 1));
    say("  alive %d", uv_loop_alive(&loop));
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(peer);
}

static void full(void) {
    uv_buf_t whole = uv_buf_init(data, sizeof data);
    uv_buf_t small = uv_buf_init(data, 1);
    uv_buf_t none = uv_buf_init(data, 0);
    say("full");
    int peer = pipe_with_peer(&loop, &pipe_);
    int count = uv_try_write(STREAM(&pipe_), &whole, 1);
    say("  some %d, queue %zu", count > 0 && count < (int)sizeof data, pipe_.write_queue_size);
    do count = uv_try_write(STREAM(&pipe_), &small, 1);
    while (count > 0);
    say("  then %s", code(count));
    say("  none %s", code(uv_try_write(STREAM(&pipe_), &none, 1)));
    say("  write none %s", code(uv_write(&writes[0], STREAM(&pipe_), &none, 1, on_write)));
    say("  write %s", code(uv_write(&writes[1], STREAM(&pipe_), &small, 1, on_write)));
    say("  write none %s", code(uv_write(&writes[2], STREAM(&pipe_), &none, 1, on_write)));
    say("  try none %s", code(uv_try_write(STREAM(&pipe_), &none, 1)));
    say("  queue %zu", pipe_.write_queue_size);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    state("  waiting", &pipe_);
    say("  alive %d", uv_loop_alive(&loop));
    uv_unref(HANDLE(&pipe_));
    say("  alive without reference %d", uv_loop_alive(&loop));
    while (recv(peer, room, sizeof room, MSG_DONTWAIT) > 0) continue;
    uv_run(&loop, UV_RUN_DEFAULT);
    state("  done", &pipe_);
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(peer);
}

static void one_way(void) {
    int ends[2];
    uv_buf_t small = uv_buf_init(data, 1);
    uv_shutdown_t shut;
    say("one way");
    assert(pipe(ends) == 0);
    uv_pipe_init(&loop, &pipe_, 0);
    uv_pipe_open(&pipe_, ends[0]);
    state("  reading end", &pipe_);
    say("  write %s", code(uv_write(&writes[0], STREAM(&pipe_), &small, 1, on_write)));
    say("  try_write %s", code(uv_try_write(STREAM(&pipe_), &small, 1)));
    say("  shutdown %s", code(uv_shutdown(&shut, STREAM(&pipe_), NULL)));
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_pipe_init(&loop, &pipe_, 0);
    uv_pipe_open(&pipe_, ends[1]);
    state("  writing end", &pipe_);
    say("  read_start %s", code(uv_read_start(STREAM(&pipe_), on_alloc, NULL)));
    say("  read_start %s", code(uv_read_start(STREAM(&pipe_), on_alloc, (uv_read_cb)abort)));
    say("  write %s", code(uv_write(&writes[0], STREAM(&pipe_), &small, 1, on_write)));
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&loop);
    arguments();
    full();
    one_way();
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
