/* Closing cancels what is not done: connect, writes, shutdown, in this order, and then the rest. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, tcp;
static uv_pipe_t pipe_;
static uv_connect_t connect_;
static uv_write_t writes[3];
static uv_shutdown_t shutdown_;
static char data[1 << 20];

static void on_connect(uv_connect_t *request, int status) {
    say("  connect %s", code(status));
    state("  ", request->handle);
}

static void on_write(uv_write_t *request, int status) {
    say("  write %d %s, queue %zu", (int)(request - writes), code(status),
        request->handle->write_queue_size);
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    say("  shutdown %s", code(status));
    state("  ", request->handle);
}

static void on_close(uv_handle_t *handle) {
    state("  closed", handle);
}

static void on_connection(uv_stream_t *stream, int status) {
    uv_tcp_t *peer = malloc(sizeof *peer);
    (void)status;
    uv_tcp_init(&loop, peer);
    uv_accept(stream, STREAM(peer));
    uv_close(HANDLE(peer), (uv_close_cb)free);
}

static void ask(uv_stream_t *stream) {
    uv_buf_t buffers[] = {uv_buf_init(data, 100), uv_buf_init(data, 1)};
    for (int i = 0; i < 3; i++) {
        say("  write %s", code(uv_write(&writes[i], stream, buffers, 2, on_write)));
    }
    say("  try_write %s", code(uv_try_write(stream, buffers, 2)));
    say("  shutdown %s", code(uv_shutdown(&shutdown_, stream, on_shutdown)));
    state("  asked", stream);
}

static void unconnected_tcp(struct sockaddr_in address) {
    say("tcp");
    uv_tcp_init(&loop, &tcp);
    say("  write %s", code(uv_write(&writes[0], STREAM(&tcp), &(uv_buf_t){data, 1}, 1, on_write)));
    say("  connect %s", code(uv_tcp_connect(&connect_, &tcp, SOCKADDR(&address), on_connect)));
    ask(STREAM(&tcp));
    uv_close(HANDLE(&tcp), on_close);
    state("  closing", &tcp);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

static void unconnected_pipe(void) {
    say("pipe");
    uv_pipe_init(&loop, &pipe_, 0);
    uv_pipe_connect(&connect_, &pipe_, "no such pipe", on_connect);
    uv_close(HANDLE(&pipe_), on_close);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

static void full(void) {
    uv_buf_t buffer = uv_buf_init(data, sizeof data);
    say("full pipe");
    int peer = pipe_with_peer(&loop, &pipe_);
    say("  write %s", code(uv_write(&writes[0], STREAM(&pipe_), &buffer, 1, on_write)));
    say("  write %s", code(uv_write(&writes[1], STREAM(&pipe_), &buffer, 1, on_write)));
    say("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&pipe_), on_shutdown)));
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    uv_close(HANDLE(&pipe_), on_close);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    close(peer);
}

static void done_but_not_told(void) {
    uv_buf_t buffer = uv_buf_init(data, 10);
    say("done but not told");
    int peer = pipe_with_peer(&loop, &pipe_);
    say("  write %s", code(uv_write(&writes[0], STREAM(&pipe_), &buffer, 1, on_write)));
    say("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&pipe_), on_shutdown)));
    uv_close(HANDLE(&pipe_), on_close);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    close(peer);
}

int main(void) {
    uv_loop_init(&loop);
    struct sockaddr_in address = serve(&loop, &server, on_connection);
    unconnected_tcp(address);
    unconnected_pipe();
    full();
    done_but_not_told();
    say("finish %s", code(finish(&loop)));
    return 0;
}
