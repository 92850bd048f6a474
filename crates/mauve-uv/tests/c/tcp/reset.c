/* The peer resets: while we write, while we read, before we do either. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t tcp;
static uv_write_t writes[3];
static uv_shutdown_t shutdown_;
static char data[8 << 20];

static void on_write(uv_write_t *request, int status) {
    say("  write %d %s, queue %zu", (int)(request - writes), code(status),
        request->handle->write_queue_size);
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    say("  shutdown %s", code(status));
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    say("  read %s, buffer %d", length_or_code(count), buffer->base == room);
    state("  inside", stream);
}

static void after(void) {
    uv_buf_t small = uv_buf_init(data, 10);
    state("  after", &tcp);
    say("  write %s", code(uv_write(&writes[2], STREAM(&tcp), &small, 1, on_write)));
    say("  try_write %s", code(uv_try_write(STREAM(&tcp), &small, 1)));
    int started = uv_read_start(STREAM(&tcp), on_alloc, on_read);
    say("  read_start %s", code(started));
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    state("  at last", &tcp);
    say("  finish %s", code(finish(&loop)));
}

static void while_writing(int reads, int shuts) {
    uv_buf_t whole = uv_buf_init(data, sizeof data);
    say("while writing, reading %d, shutting down %d", reads, shuts);
    uv_loop_init(&loop);
    int peer = tcp_with_peer(&loop, &tcp);
    for (int i = 0; i < 2; i++) {
        say("  write %s", code(uv_write(&writes[i], STREAM(&tcp), &whole, 1, on_write)));
    }
    if (shuts) say("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&tcp), on_shutdown)));
    if (reads) uv_read_start(STREAM(&tcp), on_alloc, on_read);
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    say("  some is queued %d", tcp.write_queue_size > 0);
    reset(peer);
    for (int i = 0; i < 6; i++) uv_run(&loop, UV_RUN_NOWAIT);
    if (shuts) {
        state("  after", &tcp);
        say("  finish %s", code(finish(&loop)));
    } else {
        after();
    }
}

static void while_reading(void) {
    say("while reading");
    uv_loop_init(&loop);
    int peer = tcp_with_peer(&loop, &tcp);
    uv_read_start(STREAM(&tcp), on_alloc, on_read);
    uv_run(&loop, UV_RUN_NOWAIT);
    reset(peer);
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    after();
}

static void before(void) {
    say("before anything");
    uv_loop_init(&loop);
    reset(tcp_with_peer(&loop, &tcp));
    after();
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    while_writing(0, 0);
    while_writing(1, 0);
    while_writing(0, 1);
    while_writing(1, 1);
    while_reading();
    before();
    return 0;
}
