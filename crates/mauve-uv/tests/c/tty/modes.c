/* What each mode does to a terminal, and what comes back. */
#include "net.h"

#include <pty.h>
#include <termios.h>

static uv_loop_t loop;
static int master;

static void dump(const char *when) {
    struct termios t;
    assert(tcgetattr(master, &t) == 0);
    say("%s: in %#x out %#x control %#x local %#x min %d time %d", when, t.c_iflag, t.c_oflag,
        t.c_cflag, t.c_lflag, t.c_cc[VMIN], t.c_cc[VTIME]);
}

int main(void) {
    static const int modes[] = {UV_TTY_MODE_RAW,    UV_TTY_MODE_RAW, UV_TTY_MODE_IO,
                                UV_TTY_MODE_NORMAL, UV_TTY_MODE_NORMAL, UV_TTY_MODE_IO,
                                UV_TTY_MODE_RAW,    UV_TTY_MODE_NORMAL, -1, 17};
    struct winsize size = {.ws_row = 31, .ws_col = 97};
    int slave, width = -1, height = -1;
    uv_tty_t tty;

    say("reset of nothing %s", code(uv_tty_reset_mode()));
    assert(openpty(&master, &slave, NULL, NULL, &size) == 0);
    dump("before");
    uv_loop_init(&loop);
    say("guess %d %d", uv_guess_handle(master) == UV_TTY, uv_guess_handle(slave) == UV_TTY);
    say("init %s", code(uv_tty_init(&loop, &tty, slave, 0)));
    state("fresh", &tty);
    dump("fresh");
    say("winsize %s %d x %d", code(uv_tty_get_winsize(&tty, &width, &height)), width, height);
    size.ws_row = 5;
    size.ws_col = 6;
    struct winsize changed = size;
    assert(ioctl(master, TIOCSWINSZ, &changed) == 0);
    say("winsize %s %d x %d", code(uv_tty_get_winsize(&tty, &width, &height)), width, height);
    for (size_t i = 0; i < COUNT(modes); i++) {
        say("mode %d %s", modes[i], modes[i] >= 0 && modes[i] <= 2
                                        ? code(uv_tty_set_mode(&tty, modes[i]))
                                        : "not tried");
        dump("  then");
    }
    say("raw %s", code(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW)));
    dump("  then");
    say("reset %s", code(uv_tty_reset_mode()));
    dump("  then");
    say("reset %s", code(uv_tty_reset_mode()));
    say("raw %s", code(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW)));
    dump("  after a reset behind its back");
    say("normal %s", code(uv_tty_set_mode(&tty, UV_TTY_MODE_NORMAL)));
    dump("  then");
    uv_tty_vtermstate_t vterm;
    say("vterm %s", code(uv_tty_get_vterm_state(&vterm)));
    /* What closing does in raw mode differs: see close_152.c. */
    uv_close(HANDLE(&tty), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    dump("closed in normal mode");
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
