/* needs: 1.53 */
/* uv_tty_set_mode does not wait until pending output was sent, and rejects unknown modes. */
#include "net.h"

#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>

static void on_alarm(int number) {
    (void)number;
    static const char text[] = "waits for its output\n";
    if (write(1, text, sizeof text - 1) < 0) _exit(2);
    _exit(1);
}

int main(void) {
    static const int modes[] = {UV_TTY_MODE_RAW, UV_TTY_MODE_NORMAL, UV_TTY_MODE_IO,
                                UV_TTY_MODE_RAW_VT};
    static const int unknown[] = {-1, 4, 17, 1 << 20};
    int master, slave, pending;
    uv_loop_t loop;
    uv_tty_t tty;
    uv_loop_init(&loop);
    EXPECT(openpty(&master, &slave, NULL, NULL, NULL), 0);
    EXPECT(uv_tty_init(&loop, &tty, slave, 0), 0);
    EXPECT(tcflow(slave, TCOOFF), 0);
    /* The kernel buffers this output until it is resumed. */
    uv_buf_t buffer = uv_buf_init("pending", 7);
    print("write %s", code(uv_try_write(STREAM(&tty), &buffer, 1)));
    EXPECT(ioctl(slave, TIOCOUTQ, &pending), 0);
    signal(SIGALRM, on_alarm);
    alarm(20);
    for (size_t i = 0; i < COUNT(modes); i++)
        print("mode %d: %s", modes[i], code(uv_tty_set_mode(&tty, modes[i])));
    for (size_t i = 0; i < COUNT(unknown); i++)
        print("mode %d: %s", unknown[i], code(uv_tty_set_mode(&tty, unknown[i])));
    alarm(0);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
