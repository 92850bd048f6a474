/* Reading lines in normal mode and bytes in raw mode, and the hang-up of a terminal. */
#include "net.h"

#include <fcntl.h>
#include <pty.h>
#include <termios.h>

static uv_loop_t loop;
static int master, reads;

static void print_bytes(const char *what, const char *bytes, ssize_t count) {
    char text[256] = "";
    for (ssize_t i = 0; i < count; i++) {
        sprintf(text + strlen(text), bytes[i] >= ' ' ? "%c" : "\\%d", bytes[i]);
    }
    print("  %s %s %s", what, length_or_code(count), text);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    reads++;
    print_bytes("read", buffer->base, count);
    print_stream_state("  inside", stream);
}

/* The kernel delivers input of a pty with a delay. Runs until there were `wanted` more reads, and for
 * 50 ms at least. */
static void run_until(int wanted) {
    int before = reads;

    for (int i = 0; i < 5 || (i < 1000 && reads < before + wanted); i++) {
        usleep(10000);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
}

/* Types a text that leads to `wanted` reads. */
static void type_text(const char *text, int wanted) {
    assert(write(master, text, strlen(text)) == (ssize_t)strlen(text));
    print("  typed");
    run_until(wanted);
}

/* Prints the output of the terminal. */
static void print_screen(void) {
    char bytes[256];
    usleep(20000);
    ssize_t count = read(master, bytes, sizeof bytes);
    print_bytes("screen", bytes, count > 0 ? count : 0);
}

static void on_write(uv_write_t *request, int status) {
    (void)request;
    print("  write %s", code(status));
}

int main(void) {
    int slave;
    uv_tty_t tty;
    uv_write_t write;
    uv_buf_t buffer = uv_buf_init("a\nb", 3);

    assert(openpty(&master, &slave, NULL, NULL, NULL) == 0);
    fcntl(master, F_SETFL, O_NONBLOCK);
    uv_loop_init(&loop);
    print("init %s", code(uv_tty_init(&loop, &tty, slave, 1)));
    print("slave is still blocking %d", !(fcntl(slave, F_GETFL) & O_NONBLOCK));
    uv_os_fd_t reopened;
    print("fileno %s", code(uv_fileno(HANDLE(&tty), &reopened)));
    print("reopened is non-blocking %d", !!(fcntl(reopened, F_GETFL) & O_NONBLOCK));
    print("reopened is close-on-exec %d", fcntl(reopened, F_GETFD) & FD_CLOEXEC);
    print("read_start %s", code(uv_read_start(STREAM(&tty), on_alloc, on_read)));
    print("normal");
    type_text("half", 0);
    type_text(" line\nnext\n", 2);
    type_text("\4", 1);
    print_screen();
    print("  read_start %s", code(uv_read_start(STREAM(&tty), on_alloc, on_read)));
    print("raw");
    uv_tty_set_mode(&tty, UV_TTY_MODE_RAW);
    type_text("x", 1);
    type_text("\3\4\n\r", 1);
    print_screen();
    print("  write %s", code(uv_write(&write, STREAM(&tty), &buffer, 1, on_write)));
    run_until(0);
    print_screen();
    print("io");
    uv_tty_set_mode(&tty, UV_TTY_MODE_IO);
    print("  try_write %d", uv_try_write(STREAM(&tty), &buffer, 1));
    print_screen();
    type_text("\3\r", 1);
    uv_tty_set_mode(&tty, UV_TTY_MODE_NORMAL);
    close(master);
    print("hang-up");
    run_until(1);
    print_stream_state("after", &tty);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
