/* needs: mauve */
/* The peer writes bytes with descriptors and closes: all bytes are read before UV_EOF. */
#include "net.h"

enum { ROUNDS = 10 };

static uv_loop_t loop;
static uv_pipe_t sender, receiver;
static uv_tcp_t tcp;
static int received, ended;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    if (count < 0) {
        EXPECT(count, UV_EOF);
        ended = 1;
        EXPECT(uv_pipe_pending_count(&receiver), ROUNDS);
        uv_close(HANDLE(stream), NULL);
        return;
    }
    received += count;
}

int main(void) {
    static uv_write_t writes[ROUNDS];
    int ends[2];
    uv_loop_init(&loop);
    local_sockets(ends);
    uv_pipe_init(&loop, &sender, 1);
    uv_pipe_init(&loop, &receiver, 1);
    uv_pipe_open(&sender, ends[0]);
    uv_pipe_open(&receiver, ends[1]);
    uv_tcp_init_ex(&loop, &tcp, AF_INET);
    for (int i = 0; i < ROUNDS; i++) {
        uv_buf_t buffer = uv_buf_init("12345", 5);
        EXPECT(uv_write2(&writes[i], STREAM(&sender), &buffer, 1, STREAM(&tcp), NULL), 0);
    }
    uv_close(HANDLE(&sender), NULL);
    uv_close(HANDLE(&tcp), NULL);
    EXPECT(uv_read_start(STREAM(&receiver), on_alloc, on_read), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(received, ROUNDS * 5);
    EXPECT(ended, 1);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
