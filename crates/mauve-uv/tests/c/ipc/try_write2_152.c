/* needs: 1.52 */
/* uv_try_write2 fails for a stream that is not an IPC pipe, and for a handle without a descriptor.
 * */
#include "net.h"

int main(void) {
    uv_loop_t loop;
    uv_pipe_t plain, channel;
    uv_tcp_t tcp, none;
    uv_buf_t byte = uv_buf_init("x", 1);
    int ends[2];

    uv_loop_init(&loop);
    int peer = pipe_with_peer(&loop, &plain);
    uv_pipe_init(&loop, &channel, 1);
    local_sockets(ends);
    uv_pipe_open(&channel, ends[0]);
    uv_tcp_init_ex(&loop, &tcp, AF_INET);
    uv_tcp_init(&loop, &none);
    EXPECT(uv_try_write2(STREAM(&plain), &byte, 1, STREAM(&tcp)), UV_EINVAL);
    EXPECT(uv_try_write2(STREAM(&channel), &byte, 1, STREAM(&none)), UV_EBADF);
    EXPECT(uv_try_write2(STREAM(&channel), &byte, 1, STREAM(&tcp)), 1);
    EXPECT(uv_try_write2(STREAM(&channel), &byte, 1, NULL), 1);
    close(peer);
    close(ends[1]);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
