/* needs: 1.53 */
/* UV_TTY_MODE_RAW_VT is UV_TTY_MODE_RAW: setting the one after the other changes nothing, and so succeeds on a
 * terminal that has hung up. */
#include "net.h"

#include <pty.h>

int main(void) {
    int master, slave;
    uv_loop_t loop;
    uv_tty_t tty;
    uv_loop_init(&loop);
    EXPECT(openpty(&master, &slave, NULL, NULL, NULL), 0);
    EXPECT(uv_tty_init(&loop, &tty, slave, 0), 0);
    print("raw: %s", code(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW)));
    EXPECT(close(master), 0);
    print("raw, with sequences: %s", code(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW_VT)));
    print("raw: %s", code(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW)));
    print("normal: %s", code(uv_tty_set_mode(&tty, UV_TTY_MODE_NORMAL)));
    EXPECT(close_loop(&loop), 0);
    return 0;
}
