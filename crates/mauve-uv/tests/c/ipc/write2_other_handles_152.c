/* needs: 1.52 */
/* A pipe passes only TCP sockets, pipes and UDP sockets. Other handles fail with UV_EBADF, also if they
 * have a descriptor. */
#include "net.h"

#include <fcntl.h>

int main(void) {
    uv_loop_t loop;
    uv_pipe_t channel;
    uv_poll_t poller;
    uv_timer_t timer;
    uv_tty_t terminal;
    uv_write_t request;
    uv_buf_t buffer = uv_buf_init("x", 1);
    uv_handle_t *others[] = {HANDLE(&poller), HANDLE(&timer), HANDLE(&terminal)};
    int ends[2], polled[2];

    uv_loop_init(&loop);
    local_sockets(ends);
    local_sockets(polled);
    EXPECT(uv_pipe_init(&loop, &channel, 1), 0);
    EXPECT(uv_pipe_open(&channel, ends[0]), 0);
    EXPECT(uv_poll_init(&loop, &poller, polled[0]), 0);
    EXPECT(uv_timer_init(&loop, &timer), 0);
    EXPECT(uv_tty_init(&loop, &terminal, posix_openpt(O_RDWR | O_NOCTTY), 0), 0);
    for (size_t i = 0; i < COUNT(others); i++) {
        EXPECT(uv_write2(&request, STREAM(&channel), &buffer, 1, STREAM(others[i]), NULL), UV_EBADF);
        EXPECT(uv_try_write2(STREAM(&channel), &buffer, 1, STREAM(others[i])), UV_EBADF);
    }
    EXPECT(close_loop(&loop), 0);
    return 0;
}
