/* Lines in normal mode, bytes in raw mode, and the end of a terminal. */
#include "net.h"

#include <fcntl.h>
#include <pty.h>
#include <termios.h>

static uv_loop_t loop;
static int master;

static void show(const char *what, const char *bytes, ssize_t count) {
    char text[256] = "";
    for (ssize_t i = 0; i < count; i++) {
        sprintf(text + strlen(text), bytes[i] >= ' ' ? "%c" : "\\%d", bytes[i]);
    }
    say("  %s %s %s", what, length_or_code(count), text);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    show("read", buffer->base, count);
    state("  inside", stream);
}

/* The kernel takes its time to pass on what was typed. */
static void turn(void) {
    for (int i = 0; i < 5; i++) {
        usleep(10000);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
}

static void type(const char *text) {
    assert(write(master, text, strlen(text)) == (ssize_t)strlen(text));
    say("  typed");
    turn();
}

/* What the terminal shows. */
static void screen(void) {
    char bytes[256];
    usleep(20000);
    ssize_t count = read(master, bytes, sizeof bytes);
    show("screen", bytes, count > 0 ? count : 0);
}

static void on_write(uv_write_t *request, int status) {
    (void)request;
    say("  write %s", code(status));
}

int main(void) {
    int slave;
    uv_tty_t tty;
    uv_write_t write;
    uv_buf_t buffer = uv_buf_init("a\nb", 3);

    assert(openpty(&master, &slave, NULL, NULL, NULL) == 0);
    fcntl(master, F_SETFL, O_NONBLOCK);
    uv_loop_init(&loop);
    say("init %s", code(uv_tty_init(&loop, &tty, slave, 1)));
    say("slave is still blocking %d", !(fcntl(slave, F_GETFL) & O_NONBLOCK));
    uv_os_fd_t own;
    say("fileno %s", code(uv_fileno(HANDLE(&tty), &own)));
    say("own is non-blocking %d", !!(fcntl(own, F_GETFL) & O_NONBLOCK));
    say("own is close-on-exec %d", fcntl(own, F_GETFD) & FD_CLOEXEC);
    say("read_start %s", code(uv_read_start(STREAM(&tty), on_alloc, on_read)));
    say("normal");
    type("half");
    type(" line\nnext\n");
    type("\4");
    screen();
    say("  read_start %s", code(uv_read_start(STREAM(&tty), on_alloc, on_read)));
    say("raw");
    uv_tty_set_mode(&tty, UV_TTY_MODE_RAW);
    type("x");
    type("\3\4\n\r");
    screen();
    say("  write %s", code(uv_write(&write, STREAM(&tty), &buffer, 1, on_write)));
    turn();
    screen();
    say("io");
    uv_tty_set_mode(&tty, UV_TTY_MODE_IO);
    say("  try_write %d", uv_try_write(STREAM(&tty), &buffer, 1));
    screen();
    type("\3\r");
    uv_tty_set_mode(&tty, UV_TTY_MODE_NORMAL);
    close(master);
    say("hung up");
    turn();
    state("after", &tty);
    say("finish %s", code(finish(&loop)));
    return 0;
}
