/* needs: 1.52 */
/* uv_try_write while writes are queued fails with UV_EAGAIN, also if its arguments are wrong. */
#include "net.h"

static char bytes[1 << 20];

int main(void) {
    uv_loop_t loop;
    uv_pipe_t sender;
    uv_tcp_t unopened;
    uv_write_t request;
    uv_buf_t buffer = uv_buf_init(bytes, sizeof bytes);
    int ends[2];

    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&loop);
    local_sockets(ends);
    EXPECT(uv_pipe_init(&loop, &sender, 1), 0);
    EXPECT(uv_pipe_open(&sender, ends[0]), 0);
    EXPECT(uv_tcp_init(&loop, &unopened), 0);
    EXPECT(uv_try_write(STREAM(&sender), &buffer, 0), UV_EINVAL);
    EXPECT(uv_try_write2(STREAM(&sender), &buffer, 1, STREAM(&unopened)), UV_EBADF);
    EXPECT(uv_write(&request, STREAM(&sender), &buffer, 1, NULL), 0);
    EXPECT(uv_try_write(STREAM(&sender), &buffer, 1), UV_EAGAIN);
    EXPECT(uv_try_write(STREAM(&sender), &buffer, 0), UV_EAGAIN);
    EXPECT(uv_try_write2(STREAM(&sender), &buffer, 1, STREAM(&unopened)), UV_EAGAIN);
    close(ends[1]);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
