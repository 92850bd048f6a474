/* The peer resets the connection: while writing, while reading, and before either. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t tcp;
static uv_write_t writes[3];
static uv_shutdown_t shutdown_;
static char data[8 << 20];

static void on_write(uv_write_t *request, int status) {
    print("  write %d %s, queue %zu", (int)(request - writes), code(status),
          request->handle->write_queue_size);
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    print("  shutdown %s", code(status));
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    print("  read %s, buffer %d", length_or_code(count), buffer->base == read_buffer);
    print_stream_state("  inside", stream);
}

static void use_after_reset(void) {
    uv_buf_t small = uv_buf_init(data, 10);
    print_stream_state("  after", &tcp);
    print("  write %s", code(uv_write(&writes[2], STREAM(&tcp), &small, 1, on_write)));
    print("  try_write %s", code(uv_try_write(STREAM(&tcp), &small, 1)));
    int started = uv_read_start(STREAM(&tcp), on_alloc, on_read);
    print("  read_start %s", code(started));
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    print_stream_state("  finally", &tcp);
    print("  close_loop %s", code(close_loop(&loop)));
}

static void while_writing(int reads, int shuts) {
    uv_buf_t whole = uv_buf_init(data, sizeof data);
    print("while writing, reading %d, shutting down %d", reads, shuts);
    uv_loop_init(&loop);
    int peer = tcp_with_peer(&loop, &tcp);
    for (int i = 0; i < 2; i++) {
        print("  write %s", code(uv_write(&writes[i], STREAM(&tcp), &whole, 1, on_write)));
    }
    if (shuts) print("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&tcp), on_shutdown)));
    if (reads) uv_read_start(STREAM(&tcp), on_alloc, on_read);
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    print("  queued %d", tcp.write_queue_size > 0);
    reset_connection(peer);
    for (int i = 0; i < 6; i++) uv_run(&loop, UV_RUN_NOWAIT);
    if (shuts) {
        print_stream_state("  after", &tcp);
        print("  close_loop %s", code(close_loop(&loop)));
    } else {
        use_after_reset();
    }
}

static void while_reading(void) {
    print("while reading");
    uv_loop_init(&loop);
    int peer = tcp_with_peer(&loop, &tcp);
    uv_read_start(STREAM(&tcp), on_alloc, on_read);
    uv_run(&loop, UV_RUN_NOWAIT);
    reset_connection(peer);
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    use_after_reset();
}

static void before_use(void) {
    print("before anything");
    uv_loop_init(&loop);
    reset_connection(tcp_with_peer(&loop, &tcp));
    use_after_reset();
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    while_writing(0, 0);
    while_writing(1, 0);
    while_writing(0, 1);
    while_writing(1, 1);
    while_reading();
    before_use();
    return 0;
}
