/* What a terminal can be made of. */
#include "net.h"

#include <fcntl.h>
#include <pty.h>

static uv_loop_t loop;

static void try(const char *what, int fd) {
    uv_tty_t tty;
    int width, height;
    int result = uv_tty_init(&loop, &tty, fd, 0);
    say("%s: %s", what, code(result));
    if (result != 0) return;
    state("  state", &tty);
    int blocking = !(fcntl(fd, F_GETFL) & O_NONBLOCK);
    say("  given one is blocking %d", blocking);
    if (uv_guess_handle(fd) != UV_TTY) {
        say("  winsize %s", code(uv_tty_get_winsize(&tty, &width, &height)));
        say("  mode %s", code(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW)));
    }
    uv_close(HANDLE(&tty), NULL);
    say("  closed %d", fcntl(fd, F_GETFD) < 0);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    int master, slave, fds[2];
    char name[64], file[] = "/tmp/tty-init-XXXXXX";
    uv_loop_init(&loop);
    try("negative", -1);
    try("bad", 777);
    try("null device", open("/dev/null", O_RDWR));
    try("file", mkstemp(file));
    unlink(file);
    try("folder", open("/tmp", O_RDONLY));
    assert(openpty(&master, &slave, name, NULL, NULL) == 0);
    int reading = open(name, O_RDONLY | O_NOCTTY), writing = open(name, O_WRONLY | O_NOCTTY);
    try("for reading", reading);
    try("for writing", writing);
    try("slave", slave);
    try("master", master);
    assert(pipe(fds) == 0);
    try("reading end of a pipe", fds[0]);
    try("writing end of a pipe", fds[1]);
    local_sockets(fds);
    try("local socket", fds[0]);
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
