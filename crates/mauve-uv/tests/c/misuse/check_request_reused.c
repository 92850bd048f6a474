/* aborts: uv_write: the write request at 0x ... , submitted by uv_write, is still active */
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
    uv_buf_t buffer = uv_buf_init((char *)"hello", 5);
    uv_write(&request, (uv_stream_t *)&pipe, &buffer, 1, NULL);
    uv_write(&request, (uv_stream_t *)&pipe, &buffer, 1, NULL);
    return 0;
}
