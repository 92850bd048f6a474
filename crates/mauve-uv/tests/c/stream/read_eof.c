/* UV_EOF is reported once per uv_read_start, after all data. */
#include "net.h"

static uv_loop_t loop;
static int ends, restarts;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    /* Whether UV_EOF comes with a buffer differs between versions: see eof_and_reset_152.c. */
    print("  read %s, buffer %d", length_or_code(count), count < 0 || buffer->base == read_buffer);
    print_stream_state("  inside", stream);
    if (count == UV_EOF) ends++;
    if (count == UV_EOF && restarts-- > 0) {
        print("  start %s", code(uv_read_start(stream, on_alloc, on_read)));
    }
}

static void read_to_eof(const char *title, uv_stream_t *stream) {
    static uv_write_t write;
    uv_buf_t buffer = uv_buf_init("x", 1);
    print("%s", title);
    ends = 0, restarts = 2;
    print("  start %s", code(uv_read_start(stream, on_alloc, on_read)));
    for (int i = 0; i < 6; i++) uv_run(&loop, UV_RUN_NOWAIT);
    print("  %d ends", ends);
    print_stream_state("  after", stream);
    print("  start %s", code(uv_read_start(stream, on_alloc, on_read)));
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    print("  %d ends", ends);
    print("  write %s", code(uv_write(&write, stream, &buffer, 1, NULL)));
    uv_close(HANDLE(stream), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    uv_tcp_t tcp;
    uv_pipe_t pipe_;
    int fds[2];

    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&loop);
    int peer = tcp_with_peer(&loop, &tcp);
    assert(write(peer, "data", 4) == 4);
    close(peer);
    read_to_eof("tcp", STREAM(&tcp));

    peer = tcp_with_peer(&loop, &tcp);
    shutdown(peer, SHUT_WR);
    read_to_eof("tcp half closed", STREAM(&tcp));
    close(peer);

    peer = pipe_with_peer(&loop, &pipe_);
    assert(write(peer, "data", 4) == 4);
    close(peer);
    read_to_eof("local socket", STREAM(&pipe_));

    assert(pipe(fds) == 0);
    assert(write(fds[1], "data", 4) == 4);
    close(fds[1]);
    uv_pipe_init(&loop, &pipe_, 0);
    print("open %s", code(uv_pipe_open(&pipe_, fds[0])));
    read_to_eof("pipe", STREAM(&pipe_));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
