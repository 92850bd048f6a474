/* needs: 1.52 */
/* Calls on a closed handle that libuv 1.44 does not tolerate, and calls on a closed terminal. */
#include "tolerated/closed_handles.h"

static void check_closed_terminal(void) {
    int ends[2], width, height;
    uv_tty_t tty;

    if (pipe(ends) != 0) exit(1);
    EXPECT(uv_tty_init(&loop, &tty, ends[0], 1), 0);
    uv_close((uv_handle_t *)&tty, NULL);
    EXPECT(uv_tty_set_mode(&tty, UV_TTY_MODE_NORMAL), 0);
    EXPECT(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW), UV_EBADF);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW), UV_EBADF);
    EXPECT(uv_tty_get_winsize(&tty, &width, &height), UV_EBADF);
}

int main(void) {
    struct sockaddr_in address;

    init_and_close_all();
    check_closed_terminal();
    uv_ip4_addr("127.0.0.1", 0, &address);
    EXPECT(uv_tcp_bind(&tcp, (struct sockaddr *)&address, 0), UV_EINVAL);
    EXPECT(uv_pipe_bind(&local, "name"), UV_EINVAL);
    EXPECT(uv_poll_stop(&poller), 0);
    EXPECT(uv_signal_stop(&watch), 0);
    EXPECT(uv_timer_stop(&timer), 0);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
