/* aborts: uv_write: buffer 1 has 7 bytes at a null pointer */
/* env: MAUVE_CHECK=1 */
#include "net.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_pipe_t pipe;
    uv_pipe_init(&loop, &pipe, 0);
    int ends[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    uv_pipe_open(&pipe, ends[0]);
    uv_write_t request;
    uv_buf_t buffers[2] = { uv_buf_init((char *)"hello", 5), uv_buf_init(NULL, 7) };
    uv_write(&request, (uv_stream_t *)&pipe, buffers, 2, NULL);
    return 0;
}
