/* Terminals: the slave of a pseudo-terminal. The script types on the master and reads its output. The
 * kernel passes bytes between the two in a thread of its own, so operations wait for them. */
#include "interp.h"

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>

enum { MASTER, SLAVE, WAIT_MS = 500 };

static struct node *tty(const struct op *op) { return node_at(op, op->arg[0], UV_TTY); }

/* Reads the output of the terminal. Returns its length. */
static int drain(const struct node *node) {
    char bytes[4096];
    int length = 0;
    for (ssize_t n; (n = read(node->fds[MASTER], bytes, sizeof bytes)) > 0;) length += (int)n;
    return length;
}

/* Waits until the slave is readable. */
static void await_input(const struct node *node) {
    struct pollfd ready = {.fd = node->fds[SLAVE], .events = POLLIN};
    poll(&ready, 1, WAIT_MS);
}

static void do_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (!node) return;
    int slave;
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    if (openpty(&node->fds[MASTER], &slave, NULL, NULL, &size)) _exit(3);
    fcntl(node->fds[MASTER], F_SETFL, O_NONBLOCK);
    fcntl(node->fds[MASTER], F_SETFD, FD_CLOEXEC);
    node->fds[SLAVE] = fcntl(slave, F_DUPFD_CLOEXEC, 0);
    add_node(op, node, uv_tty_init(&world.loops[op->arg[1]], &node->uv.tty, slave, 0));
}

static void do_mode(const struct op *op) {
    static const uv_tty_mode_t modes[] = {UV_TTY_MODE_NORMAL, UV_TTY_MODE_RAW, UV_TTY_MODE_IO,
                                          UV_TTY_MODE_RAW_VT};
    struct node *node = tty(op);
    if (!node || world.slots[op->arg[0]].state == CLOSING) return;
    int result = uv_tty_set_mode(&node->uv.tty, modes[op->arg[1] % 4]);
    struct termios terminal = {0};
    /* Fails after a hang-up. */
    if (tcgetattr(node->fds[SLAVE], &terminal) != 0) {
        trace_op(op, "%s [%s]", code(result), flags(node));
        return;
    }
    trace_op(op, "%s %s%s%s [%s]", code(result), terminal.c_lflag & ICANON ? "lines" : "bytes",
             terminal.c_lflag & ECHO ? " echo" : "", terminal.c_oflag & OPOST ? " post" : "",
             flags(node));
}

static void do_size(const struct op *op) {
    struct node *node = tty(op);
    if (!node || world.slots[op->arg[0]].state == CLOSING) return;
    int width = 0, height = 0;
    int result = uv_tty_get_winsize(&node->uv.tty, &width, &height);
    trace_op(op, "%s %d %d", code(result), width, height);
}

/* Types a line. In raw mode its bytes are read at once. */
static void do_type(const struct op *op) {
    struct node *node = tty(op);
    if (!node || world.slots[op->arg[0]].state == CLOSING || node->fds[MASTER] < 0) return;
    /* Bytes that arrive while others are unread may be read with them or alone. */
    int unread = 0;
    ioctl(node->fds[SLAVE], FIONREAD, &unread);
    if (unread > 0) {
        skip(op);
        return;
    }
    trace_op(op, "%d", (int)write(node->fds[MASTER], "typed\n", 6));
    await_input(node);
    drain(node);
}

static void do_output(const struct op *op) {
    struct node *node = tty(op);
    if (!node || world.slots[op->arg[0]].state == CLOSING || node->fds[MASTER] < 0) return;
    struct pollfd ready = {.fd = node->fds[MASTER], .events = POLLIN};
    int found = poll(&ready, 1, TICK_MS);
    trace_op(op, "%s", found > 0 && drain(node) > 0 ? "some" : "none");
}

static void do_hang_up(const struct op *op) {
    struct node *node = tty(op);
    if (!node || world.slots[op->arg[0]].state == CLOSING || node->fds[MASTER] < 0) return;
    trace_op(op, "%d", close(node->fds[MASTER]));
    node->fds[MASTER] = -1;
}

const struct verb tty_verbs[] = {
    {"tty_init", "hl", do_init}, {"tty_mode", "hn", do_mode},     {"tty_size", "h", do_size},
    {"tty_type", "h", do_type},  {"tty_output", "h", do_output},
    {"tty_hang_up", "h", do_hang_up}, {NULL, NULL, NULL},
};
