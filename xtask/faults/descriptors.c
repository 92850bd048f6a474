/* Poll handles on a socket pair, and a terminal. */
#include "workload.h"

#include <pty.h>
#include <sys/socket.h>

static uv_loop_t loop;
static uv_poll_t reader, writer;
static uv_tty_t tty;
static uv_write_t tty_write;
static int ends[2], master, slave, readable, writable;
static char got[32];

static void on_readable(uv_poll_t *poll, int status, int events) {
    char byte;
    if (check("poll", status) != 0) return end_handle(poll);
    set_injection(0);
    if ((events & UV_READABLE) && recv(ends[0], &byte, 1, MSG_DONTWAIT) == 1) readable = 1;
    set_injection(1);
    if (readable) end_handle(poll);
}

static void on_writable(uv_poll_t *poll, int status, int events) {
    if (check("poll", status) != 0) return end_handle(poll);
    if (!(events & UV_WRITABLE)) return;
    set_injection(0);
    writable = send(ends[1], "b", 1, 0) == 1;
    set_injection(1);
    end_handle(poll);
}

static void on_tty_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count > 0) strncat(got, buffer->base, count);
    if (count < 0) record_error("tty's read", count);
    if (count < 0 || strcmp(got, "typed\n") == 0) end_handle(stream);
}

static void on_tty_write(uv_write_t *write, int status) {
    (void)write;
    reported("tty's write", status);
}

static void poll_both(void) {
    if (check("poll_init", uv_poll_init(&loop, &reader, ends[0])) != 0) return;
    if (check("poll_init", uv_poll_init(&loop, &writer, ends[1])) != 0) return;
    check("poll_start", uv_poll_start(&reader, UV_READABLE | UV_DISCONNECT, on_readable));
    check("poll_start", uv_poll_start(&writer, UV_READABLE | UV_WRITABLE, on_writable));
}

static void type(void) {
    int width, height;
    uv_buf_t text = uv_buf_init("shown", 5);
    if (check("tty_init", uv_tty_init(&loop, &tty, slave, 0)) != 0) return;
    check("set_mode", uv_tty_set_mode(&tty, UV_TTY_MODE_NORMAL));
    check("get_winsize", uv_tty_get_winsize(&tty, &width, &height));
    started("tty's write", uv_write(&tty_write, STREAM(&tty), &text, 1, on_tty_write));
    if (check("read_start", uv_read_start(STREAM(&tty), on_alloc, on_tty_read)) != 0) {
        return end_handle(&tty);
    }
    set_injection(0);
    assert(write(master, "typed\n", 6) == 6);
    set_injection(1);
}

int main(void) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(openpty(&master, &slave, NULL, NULL, NULL) == 0);
    set_injection(1);
    if (init_loop(&loop)) {
        poll_both();
        type();
        finish_loop(&loop);
        uv_tty_reset_mode();
        complete("readability", readable);
        complete("writability", writable);
        complete("what was typed", strcmp(got, "typed\n") == 0);
    }
    return exit_code();
}
