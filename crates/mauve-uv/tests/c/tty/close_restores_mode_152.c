/* needs: 1.52 */
/* uv_close of the first terminal whose mode was changed restores its settings; 1.44 left it in raw
 * mode. Then uv_tty_reset_mode applies to the next terminal. */
#include "net.h"

#include <pty.h>
#include <termios.h>

static uv_loop_t loop;

static int is_raw(int fd) {
    struct termios settings;
    EXPECT(tcgetattr(fd, &settings), 0);
    return (settings.c_lflag & ICANON) == 0;
}

static int open_terminal(uv_tty_t *tty) {
    int controller, fd;
    EXPECT(openpty(&controller, &fd, NULL, NULL, NULL), 0);
    EXPECT(uv_tty_init(&loop, tty, fd, 0), 0);
    return fd;
}

static void close_and_run(uv_tty_t *tty) {
    uv_close(HANDLE(tty), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    uv_tty_t first, second;
    struct termios settings;

    uv_loop_init(&loop);
    int one = open_terminal(&first), other = open_terminal(&second);
    EXPECT(uv_tty_set_mode(&first, UV_TTY_MODE_RAW), 0);
    EXPECT(uv_tty_set_mode(&second, UV_TTY_MODE_RAW), 0);
    close_and_run(&second);
    EXPECT(is_raw(one), 1);
    EXPECT(is_raw(other), 1);
    close_and_run(&first);
    EXPECT(is_raw(one), 0);
    EXPECT(is_raw(other), 1);
    EXPECT(uv_tty_reset_mode(), 0);
    EXPECT(is_raw(other), 1);

    /* The first is closed. uv_tty_reset_mode applies to the second after its next change. */
    one = open_terminal(&first), other = open_terminal(&second);
    EXPECT(uv_tty_set_mode(&first, UV_TTY_MODE_IO), 0);
    EXPECT(uv_tty_set_mode(&second, UV_TTY_MODE_RAW), 0);
    close_and_run(&first);
    EXPECT(is_raw(one), 0);
    EXPECT(uv_tty_reset_mode(), 0);
    EXPECT(is_raw(other), 1);
    EXPECT(uv_tty_set_mode(&second, UV_TTY_MODE_NORMAL), 0);
    EXPECT(uv_tty_set_mode(&second, UV_TTY_MODE_RAW), 0);
    EXPECT(uv_tty_reset_mode(), 0);
    EXPECT(is_raw(other), 0);
    close_and_run(&second);

    /* Settings changed by the program are overwritten only after uv_tty_set_mode. */
    for (int changes = 0; changes < 2; changes++) {
        one = open_terminal(&first);
        if (changes) {
            EXPECT(uv_tty_set_mode(&first, UV_TTY_MODE_RAW), 0);
            EXPECT(uv_tty_set_mode(&first, UV_TTY_MODE_NORMAL), 0);
        }
        EXPECT(tcgetattr(one, &settings), 0);
        settings.c_lflag &= ~ICANON;
        EXPECT(tcsetattr(one, TCSANOW, &settings), 0);
        close_and_run(&first);
        EXPECT(is_raw(one), !changes);
    }
    EXPECT(close_loop(&loop), 0);
    return 0;
}
