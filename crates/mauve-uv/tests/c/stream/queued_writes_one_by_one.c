/* Queued writes are sent one by one: the peer of a SOCK_SEQPACKET socket receives each as a packet. */
#include "net.h"

static uv_loop_t loop;
static uv_write_t requests[3];

static void on_write(uv_write_t *request, int status) {
    print("write %d: %s", (int)(request - requests), code(status));
}

static void write_all(uv_stream_t *stream, int count) {
    for (int i = 0; i < count; i++) {
        uv_buf_t buf = uv_buf_init("abc", (unsigned)i + 1);
        print("%s", code(uv_write(&requests[i], stream, &buf, 1, on_write)));
    }
}

/* Three packets behind one that the peer has not received yet. */
static void packets(void) {
    static uv_pipe_t pipe_;
    static char large[1 << 16];
    int ends[2];
    assert(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends) == 0);
    uv_pipe_init(&loop, &pipe_, 0);
    print("open: %s", code(uv_pipe_open(&pipe_, ends[0])));
    while (write(ends[0], large, sizeof large) > 0) continue;
    write_all(STREAM(&pipe_), 3);
    print("queued: %d", uv_stream_get_write_queue_size(STREAM(&pipe_)) == 6);
    while (read(ends[1], large, sizeof large) == (ssize_t)sizeof large) continue;
    uv_run(&loop, UV_RUN_DEFAULT);
    for (ssize_t n; (n = read(ends[1], large, sizeof large)) > 0;) print("packet of %d", (int)n);
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(ends[1]);
}

int main(void) {
    uv_loop_init(&loop);
    packets();
    print("end: %s", code(uv_loop_close(&loop)));
    return 0;
}
