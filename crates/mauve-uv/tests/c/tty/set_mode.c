/* uv_tty_set_mode and uv_tty_reset_mode: the resulting terminal settings. uv_tty_get_winsize. */
#include "net.h"

#include <pty.h>
#include <termios.h>

static uv_loop_t loop;
static int master;

static void print_settings(const char *when) {
    struct termios t;
    assert(tcgetattr(master, &t) == 0);
    print("%s: in %#x out %#x control %#x local %#x min %d time %d", when, t.c_iflag, t.c_oflag,
          t.c_cflag, t.c_lflag, t.c_cc[VMIN], t.c_cc[VTIME]);
}

int main(void) {
    static const int modes[] = {UV_TTY_MODE_RAW,    UV_TTY_MODE_RAW, UV_TTY_MODE_IO,
                                UV_TTY_MODE_NORMAL, UV_TTY_MODE_NORMAL, UV_TTY_MODE_IO,
                                UV_TTY_MODE_RAW,    UV_TTY_MODE_NORMAL, -1, 17};
    struct winsize size = {.ws_row = 31, .ws_col = 97};
    int slave, width = -1, height = -1;
    uv_tty_t tty;

    print("reset without a terminal %s", code(uv_tty_reset_mode()));
    assert(openpty(&master, &slave, NULL, NULL, &size) == 0);
    print_settings("before");
    uv_loop_init(&loop);
    print("guess %d %d", uv_guess_handle(master) == UV_TTY, uv_guess_handle(slave) == UV_TTY);
    print("init %s", code(uv_tty_init(&loop, &tty, slave, 0)));
    print_stream_state("initialised", &tty);
    print_settings("initialised");
    print("winsize %s %d x %d", code(uv_tty_get_winsize(&tty, &width, &height)), width, height);
    size.ws_row = 5;
    size.ws_col = 6;
    struct winsize changed = size;
    assert(ioctl(master, TIOCSWINSZ, &changed) == 0);
    print("winsize %s %d x %d", code(uv_tty_get_winsize(&tty, &width, &height)), width, height);
    for (size_t i = 0; i < COUNT(modes); i++) {
        print("mode %d %s", modes[i], modes[i] >= 0 && modes[i] <= 2
                                        ? code(uv_tty_set_mode(&tty, modes[i]))
                                        : "not tried");
        print_settings("  then");
    }
    print("raw %s", code(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW)));
    print_settings("  then");
    print("reset %s", code(uv_tty_reset_mode()));
    print_settings("  then");
    print("reset %s", code(uv_tty_reset_mode()));
    print("raw %s", code(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW)));
    print_settings("  after uv_tty_reset_mode");
    print("normal %s", code(uv_tty_set_mode(&tty, UV_TTY_MODE_NORMAL)));
    print_settings("  then");
    uv_tty_vtermstate_t vterm;
    uv_tty_set_vterm_state(UV_TTY_SUPPORTED); /* Without effect on Unix. */
    print("vterm %s", code(uv_tty_get_vterm_state(&vterm)));
    /* uv_close in raw mode differs between versions: see close_restores_mode_152.c. */
    uv_close(HANDLE(&tty), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print_settings("closed in normal mode");
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
