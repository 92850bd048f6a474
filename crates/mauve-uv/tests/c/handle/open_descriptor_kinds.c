/* uv_tcp_open, uv_pipe_open, uv_udp_open, uv_tty_init and uv_poll_init with descriptors of every
 * kind: the result, who owns the descriptor, and whether it is non-blocking. */
#include "net.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/epoll.h>

static uv_loop_t loop;

typedef struct {
    const char *name;
    int fd, other;
} test_descriptor;

static test_descriptor open_kind(int kind) {
    struct sockaddr_in address = loopback(0);
    test_descriptor opened = {"", -1, -1};
    int fds[2];

    switch (kind) {
    case 0: opened.name = "udp", opened.fd = socket(AF_INET, SOCK_DGRAM, 0); break;
    case 1: opened.name = "tcp", opened.fd = socket(AF_INET, SOCK_STREAM, 0); break;
    case 2: opened.name = "local", opened.fd = socket(AF_UNIX, SOCK_STREAM, 0); break;
    case 3: opened.name = "local datagrams", opened.fd = socket(AF_UNIX, SOCK_DGRAM, 0); break;
    case 4:
        assert(pipe(fds) == 0);
        opened = (test_descriptor){"read end", fds[0], fds[1]};
        break;
    case 5:
        assert(pipe(fds) == 0);
        opened = (test_descriptor){"write end", fds[1], fds[0]};
        break;
    case 6: opened.name = "file", opened.fd = open("/etc/passwd", O_RDONLY); break;
    case 7: opened.name = "directory", opened.fd = open("/", O_RDONLY); break;
    case 8: opened.name = "/dev/null", opened.fd = open("/dev/null", O_RDWR); break;
    case 9:
        assert(openpty(&fds[0], &fds[1], NULL, NULL, NULL) == 0);
        opened = (test_descriptor){"pty master", fds[0], fds[1]};
        break;
    case 10:
        assert(openpty(&fds[0], &fds[1], NULL, NULL, NULL) == 0);
        opened = (test_descriptor){"pty slave", fds[1], fds[0]};
        break;
    case 11: opened.name = "epoll", opened.fd = epoll_create1(0); break;
    case 12: opened.name = "path", opened.fd = open("/etc/passwd", O_PATH); break;
    case 13: opened.name = "closed", opened.fd = 77; break;
    case 14: opened.name = "negative", opened.fd = -1; break;
    case 15:
        opened.name = "listener", opened.fd = socket(AF_INET, SOCK_STREAM, 0);
        assert(bind(opened.fd, SOCKADDR(&address), sizeof address) == 0);
        assert(listen(opened.fd, 1) == 0);
        break;
    case 16:
        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
        opened = (test_descriptor){"local pair", fds[0], fds[1]};
        break;
    case 17:
        assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds) == 0);
        opened = (test_descriptor){"local seqpacket", fds[0], fds[1]};
        break;
    default: opened.name = NULL;
    }
    return opened;
}

static int is_open(int fd) { return fcntl(fd, F_GETFD) != -1; }

static int is_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags == -1 ? -1 : (flags & O_NONBLOCK) != 0;
}

static const char *fileno_result(void *handle, int wanted) {
    int fd = -1, result = uv_fileno(handle, &fd);
    return result != 0 ? uv_err_name(result) : fd == wanted ? "same" : "another";
}

static void check(const char *call, test_descriptor opened, int result, void *handle) {
    print("%s of %s: %s, open %d, nonblocking %d", call, opened.name, code(result),
          is_open(opened.fd),
          is_nonblocking(opened.fd));
    if (handle != NULL) {
        uv_handle_type type = uv_handle_get_type(handle);
        print("  fileno %s", fileno_result(handle, opened.fd));
        if (type != UV_POLL && type != UV_UDP) print_stream_state("  state", handle);
        uv_close(handle, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        print("  closed: open %d, the other %d", is_open(opened.fd), is_open(opened.other));
    }
    if (opened.fd != 77) close(opened.fd);
    close(opened.other);
}

int main(void) {
    uv_tcp_t tcp;
    uv_pipe_t pipe_;
    uv_udp_t udp;
    uv_tty_t tty;
    uv_poll_t poll;

    uv_loop_init(&loop);
    for (int kind = 0;; kind++) {
        test_descriptor opened = open_kind(kind);
        int result;
        if (opened.name == NULL) break;
        uv_tcp_init(&loop, &tcp);
        check("tcp_open", opened, uv_tcp_open(&tcp, opened.fd), &tcp);
        /* Options that were set before are applied by uv_tcp_open, and may fail. */
        opened = open_kind(kind);
        uv_tcp_init(&loop, &tcp);
        uv_tcp_nodelay(&tcp, 1);
        check("tcp_open with nodelay", opened, uv_tcp_open(&tcp, opened.fd), &tcp);
        opened = open_kind(kind);
        uv_tcp_init(&loop, &tcp);
        uv_tcp_keepalive(&tcp, 1, 60);
        check("tcp_open with keepalive", opened, uv_tcp_open(&tcp, opened.fd), &tcp);
        for (int ipc = 0; ipc < 2; ipc++) {
            opened = open_kind(kind);
            uv_pipe_init(&loop, &pipe_, ipc);
            check("pipe_open", opened, uv_pipe_open(&pipe_, opened.fd), &pipe_);
        }
        opened = open_kind(kind);
        uv_udp_init(&loop, &udp);
        check("udp_open", opened, uv_udp_open(&udp, opened.fd), &udp);
        opened = open_kind(kind);
        result = uv_tty_init(&loop, &tty, opened.fd, 1);
        check("tty_init", opened, result, result == 0 ? &tty : NULL);
        opened = open_kind(kind);
        result = uv_poll_init(&loop, &poll, opened.fd);
        check("poll_init", opened, result, result == 0 ? &poll : NULL);
    }
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
