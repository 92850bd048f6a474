/* A write that is queued in a callback behind a failed one waits for a writable event: it is attempted
 * in the next poll phase, after handles are closed. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t pipe_, other;
static uv_write_t writes[4];
static uv_async_t async;
static int peer;
static char data[3000];
static int count;

static void on_write(uv_write_t *request, int status);

static void write_more(void) {
    uv_buf_t buffer = uv_buf_init(data, sizeof data);
    int which = count++;
    int result = uv_write(&writes[which], STREAM(&pipe_), &buffer, 1, on_write);
    print("write %d %s, queued %zu", which, code(result), pipe_.write_queue_size);
}

static void on_close(uv_handle_t *handle) {
    print("closed %s", handle == HANDLE(&other) ? "pipe" : "async");
}

static void on_write(uv_write_t *request, int status) {
    print("wrote %d %s", (int)(request - writes), code(status));
    if (request == &writes[0]) write_more();
}

static void on_async(uv_async_t *handle) {
    write_more();
    close(peer);
    write_more();
    uv_close(HANDLE(&other), on_close);
    uv_close(HANDLE(handle), on_close);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&loop);
    peer = pipe_with_peer(&loop, &pipe_);
    uv_pipe_init(&loop, &other, 0);
    uv_async_init(&loop, &async, on_async);
    uv_async_send(&async);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("loop %s", code(close_loop(&loop)));
    return 0;
}
