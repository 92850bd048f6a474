/* needs: 1.52 */
/* Writes of more than INT_MAX bytes, or of no buffers, return UV_EINVAL, and nothing is sent. */
#include "net.h"

int main(void) {
    uv_loop_t loop;
    uv_pipe_t pipe_;
    uv_write_t write;
    static char data[1 << 20];
    static uv_buf_t parts[2048];
    uv_loop_init(&loop);
    int peer = pipe_with_peer(&loop, &pipe_);
    for (size_t i = 0; i < COUNT(parts); i++) parts[i] = uv_buf_init(data, sizeof data);
    EXPECT(uv_write(&write, STREAM(&pipe_), parts, COUNT(parts), NULL), UV_EINVAL);
    EXPECT(uv_try_write(STREAM(&pipe_), parts, COUNT(parts)), UV_EINVAL);
    EXPECT(uv_write(&write, STREAM(&pipe_), parts, 0, NULL), UV_EINVAL);
    EXPECT(pipe_.write_queue_size, 0);
    EXPECT(uv_loop_alive(&loop), 0);
    EXPECT(recv(peer, data, 1, MSG_DONTWAIT), -1);
    close(peer);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
