/* What becomes of a descriptor that is handed to a handle: whose it is after success and after each
 * error, whether it blocks, and who closes it. */
#include "net.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/epoll.h>

static uv_loop_t loop;

typedef struct {
    const char *name;
    int fd, other;
} thing;

static thing make(int kind) {
    struct sockaddr_in address = loopback(0);
    thing made = {"", -1, -1};
    int fds[2];

    switch (kind) {
    case 0: made.name = "udp", made.fd = socket(AF_INET, SOCK_DGRAM, 0); break;
    case 1: made.name = "tcp", made.fd = socket(AF_INET, SOCK_STREAM, 0); break;
    case 2: made.name = "local", made.fd = socket(AF_UNIX, SOCK_STREAM, 0); break;
    case 3: made.name = "local datagrams", made.fd = socket(AF_UNIX, SOCK_DGRAM, 0); break;
    case 4:
        assert(pipe(fds) == 0);
        made = (thing){"read end", fds[0], fds[1]};
        break;
    case 5:
        assert(pipe(fds) == 0);
        made = (thing){"write end", fds[1], fds[0]};
        break;
    case 6: made.name = "file", made.fd = open("/etc/passwd", O_RDONLY); break;
    case 7: made.name = "directory", made.fd = open("/", O_RDONLY); break;
    case 8: made.name = "null device", made.fd = open("/dev/null", O_RDWR); break;
    case 9:
        assert(openpty(&fds[0], &fds[1], NULL, NULL, NULL) == 0);
        made = (thing){"controlling side", fds[0], fds[1]};
        break;
    case 10:
        assert(openpty(&fds[0], &fds[1], NULL, NULL, NULL) == 0);
        made = (thing){"terminal", fds[1], fds[0]};
        break;
    case 11: made.name = "epoll", made.fd = epoll_create1(0); break;
    case 12: made.name = "path", made.fd = open("/etc/passwd", O_PATH); break;
    case 13: made.name = "closed", made.fd = 77; break;
    case 14: made.name = "negative", made.fd = -1; break;
    case 15:
        made.name = "listener", made.fd = socket(AF_INET, SOCK_STREAM, 0);
        assert(bind(made.fd, SOCKADDR(&address), sizeof address) == 0);
        assert(listen(made.fd, 1) == 0);
        break;
    case 16:
        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
        made = (thing){"local pair", fds[0], fds[1]};
        break;
    case 17:
        assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds) == 0);
        made = (thing){"packets", fds[0], fds[1]};
        break;
    default: made.name = NULL;
    }
    return made;
}

static int is_open(int fd) { return fcntl(fd, F_GETFD) != -1; }

static int is_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags == -1 ? -1 : (flags & O_NONBLOCK) != 0;
}

static const char *descriptor(void *handle, int wanted) {
    int fd = -1, result = uv_fileno(handle, &fd);
    return result != 0 ? uv_err_name(result) : fd == wanted ? "same" : "another";
}

static void check(const char *call, thing made, int result, void *handle) {
    say("%s of %s: %s, open %d, nonblocking %d", call, made.name, code(result), is_open(made.fd),
        is_nonblocking(made.fd));
    if (handle != NULL) {
        uv_handle_type type = uv_handle_get_type(handle);
        say("  fileno %s", descriptor(handle, made.fd));
        if (type != UV_POLL && type != UV_UDP) state("  state", handle);
        uv_close(handle, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        say("  closed: open %d, the other %d", is_open(made.fd), is_open(made.other));
    }
    if (made.fd != 77) close(made.fd);
    close(made.other);
}

int main(void) {
    uv_tcp_t tcp;
    uv_pipe_t pipe_;
    uv_udp_t udp;
    uv_tty_t tty;
    uv_poll_t poll;

    uv_loop_init(&loop);
    for (int kind = 0;; kind++) {
        thing made = make(kind);
        int result;
        if (made.name == NULL) break;
        uv_tcp_init(&loop, &tcp);
        check("tcp_open", made, uv_tcp_open(&tcp, made.fd), &tcp);
        /* Options that were chosen before are applied, and may fail. */
        made = make(kind);
        uv_tcp_init(&loop, &tcp);
        uv_tcp_nodelay(&tcp, 1);
        check("tcp_open with nodelay", made, uv_tcp_open(&tcp, made.fd), &tcp);
        made = make(kind);
        uv_tcp_init(&loop, &tcp);
        uv_tcp_keepalive(&tcp, 1, 60);
        check("tcp_open with keepalive", made, uv_tcp_open(&tcp, made.fd), &tcp);
        for (int ipc = 0; ipc < 2; ipc++) {
            made = make(kind);
            uv_pipe_init(&loop, &pipe_, ipc);
            check("pipe_open", made, uv_pipe_open(&pipe_, made.fd), &pipe_);
        }
        made = make(kind);
        uv_udp_init(&loop, &udp);
        check("udp_open", made, uv_udp_open(&udp, made.fd), &udp);
        made = make(kind);
        result = uv_tty_init(&loop, &tty, made.fd, 1);
        check("tty_init", made, result, result == 0 ? &tty : NULL);
        made = make(kind);
        result = uv_poll_init(&loop, &poll, made.fd);
        check("poll_init", made, result, result == 0 ? &poll : NULL);
    }
    say("finish %s", code(finish(&loop)));
    return 0;
}
