/* uv_tty_init with descriptors of every kind. */
#include "net.h"

#include <fcntl.h>
#include <pty.h>

static uv_loop_t loop;

static void init_and_print(const char *what, int fd) {
    uv_tty_t tty;
    int width, height;
    int result = uv_tty_init(&loop, &tty, fd, 0);
    print("%s: %s", what, code(result));
    if (result != 0) return;
    print_stream_state("  state", &tty);
    int blocking = !(fcntl(fd, F_GETFL) & O_NONBLOCK);
    print("  descriptor is blocking %d", blocking);
    if (uv_guess_handle(fd) != UV_TTY) {
        print("  winsize %s", code(uv_tty_get_winsize(&tty, &width, &height)));
        print("  mode %s", code(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW)));
    }
    uv_close(HANDLE(&tty), NULL);
    print("  closed %d", fcntl(fd, F_GETFD) < 0);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    int master, slave, fds[2];
    char name[64], file[] = "/tmp/tty-init-XXXXXX";
    uv_loop_init(&loop);
    init_and_print("negative", -1);
    init_and_print("bad", 777);
    init_and_print("/dev/null", open("/dev/null", O_RDWR));
    init_and_print("file", mkstemp(file));
    unlink(file);
    init_and_print("directory", open("/tmp", O_RDONLY));
    assert(openpty(&master, &slave, name, NULL, NULL) == 0);
    int reading = open(name, O_RDONLY | O_NOCTTY), writing = open(name, O_WRONLY | O_NOCTTY);
    init_and_print("slave, read-only", reading);
    init_and_print("slave, write-only", writing);
    init_and_print("slave", slave);
    init_and_print("master", master);
    assert(pipe(fds) == 0);
    init_and_print("reading end of a pipe", fds[0]);
    init_and_print("writing end of a pipe", fds[1]);
    local_sockets(fds);
    init_and_print("local socket", fds[0]);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
