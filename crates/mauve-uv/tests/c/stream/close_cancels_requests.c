/* uv_close cancels pending requests: connect, writes, shutdown, in this order, then the close
 * callback. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, tcp;
static uv_pipe_t pipe_;
static uv_connect_t connect_;
static uv_write_t writes[3];
static uv_shutdown_t shutdown_;
static char data[1 << 20];

static void on_connect(uv_connect_t *request, int status) {
    print("  connect %s", code(status));
    print_stream_state("  ", request->handle);
}

static void on_write(uv_write_t *request, int status) {
    print("  write %d %s, queue %zu", (int)(request - writes), code(status),
          request->handle->write_queue_size);
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    print("  shutdown %s", code(status));
    print_stream_state("  ", request->handle);
}

static void on_close(uv_handle_t *handle) {
    print_stream_state("  closed", handle);
}

static void on_connection(uv_stream_t *stream, int status) {
    uv_tcp_t *peer = malloc(sizeof *peer);
    (void)status;
    uv_tcp_init(&loop, peer);
    uv_accept(stream, STREAM(peer));
    uv_close(HANDLE(peer), (uv_close_cb)free);
}

static void queue_requests(uv_stream_t *stream) {
    uv_buf_t buffers[] = {uv_buf_init(data, 100), uv_buf_init(data, 1)};
    for (int i = 0; i < 3; i++) {
        print("  write %s", code(uv_write(&writes[i], stream, buffers, 2, on_write)));
    }
    print("  try_write %s", code(uv_try_write(stream, buffers, 2)));
    print("  shutdown %s", code(uv_shutdown(&shutdown_, stream, on_shutdown)));
    print_stream_state("  queued", stream);
}

static void unconnected_tcp(struct sockaddr_in address) {
    print("tcp");
    uv_tcp_init(&loop, &tcp);
    print("  write %s",
          code(uv_write(&writes[0], STREAM(&tcp), &(uv_buf_t){data, 1}, 1, on_write)));
    print("  connect %s", code(uv_tcp_connect(&connect_, &tcp, SOCKADDR(&address), on_connect)));
    queue_requests(STREAM(&tcp));
    uv_close(HANDLE(&tcp), on_close);
    print_stream_state("  closing", &tcp);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

static void unconnected_pipe(void) {
    print("pipe");
    uv_pipe_init(&loop, &pipe_, 0);
    uv_pipe_connect(&connect_, &pipe_, "no such pipe", on_connect);
    uv_close(HANDLE(&pipe_), on_close);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

static void full_pipe(void) {
    uv_buf_t buffer = uv_buf_init(data, sizeof data);
    print("full pipe");
    int peer = pipe_with_peer(&loop, &pipe_);
    print("  write %s", code(uv_write(&writes[0], STREAM(&pipe_), &buffer, 1, on_write)));
    print("  write %s", code(uv_write(&writes[1], STREAM(&pipe_), &buffer, 1, on_write)));
    print("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&pipe_), on_shutdown)));
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    uv_close(HANDLE(&pipe_), on_close);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    close(peer);
}

static void completed_with_pending_callbacks(void) {
    uv_buf_t buffer = uv_buf_init(data, 10);
    print("completed, callbacks pending");
    int peer = pipe_with_peer(&loop, &pipe_);
    print("  write %s", code(uv_write(&writes[0], STREAM(&pipe_), &buffer, 1, on_write)));
    print("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&pipe_), on_shutdown)));
    uv_close(HANDLE(&pipe_), on_close);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    close(peer);
}

int main(void) {
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    unconnected_tcp(address);
    unconnected_pipe();
    full_pipe();
    completed_with_pending_callbacks();
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
