/* A queued uv_write2: the descriptor of the handle is read when it is sent, and not duplicated
 * before. The handle may belong to another loop, and may be closed meanwhile. */
#include "net.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>

static uv_loop_t loop, other;
static char bytes[1 << 22];

enum { KEPT, CLOSED, NO_DESCRIPTORS };

static void on_write(uv_write_t *request, int status) {
    print("  %s: %s", (const char *)request->data, code(status));
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    print("  closed");
}

static int open_descriptors(void) {
    int count = 0;
    for (int fd = 0; fd < 256; fd++) count += fcntl(fd, F_GETFD) != -1;
    return count;
}

/* Reads all available bytes, and closes the received descriptors. */
static int drain(int fd) {
    static char buffer[1 << 16];
    char control[256];
    int descriptors = 0;
    for (;;) {
        struct iovec piece = {buffer, sizeof buffer};
        struct msghdr message = {.msg_iov = &piece,
                                 .msg_iovlen = 1,
                                 .msg_control = control,
                                 .msg_controllen = sizeof control};
        if (recvmsg(fd, &message, MSG_DONTWAIT) <= 0) return descriptors;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        if (header == NULL) continue;
        int received;
        memcpy(&received, CMSG_DATA(header), sizeof received);
        close(received);
        descriptors++;
    }
}

static void run_scenario(const char *what, uv_loop_t *owner, int variant) {
    uv_pipe_t pipe;
    uv_tcp_t tcp;
    uv_write_t first = {.data = "bytes"}, second = {.data = "handle"};
    uv_buf_t all = uv_buf_init(bytes, sizeof bytes), one = uv_buf_init("x", 1);
    struct sockaddr_in address = loopback(0);
    int fds[2], received = 0, fillers[256], filled = 0;

    print("%s", what);
    socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
    uv_pipe_init(&loop, &pipe, 1);
    uv_pipe_open(&pipe, fds[0]);
    uv_tcp_init(owner, &tcp);
    uv_tcp_bind(&tcp, SOCKADDR(&address), 0);
    assert(uv_write(&first, STREAM(&pipe), &all, 1, on_write) == 0);
    assert(uv_stream_get_write_queue_size(STREAM(&pipe)) > 0);
    if (variant == NO_DESCRIPTORS) {
        while ((fillers[filled] = fcntl(0, F_DUPFD_CLOEXEC, 0)) >= 0) filled++;
    }
    int before = open_descriptors();
    int result = uv_write2(&second, STREAM(&pipe), &one, 1, STREAM(&tcp), on_write);
    print("  uv_write2 %s, %d additional descriptors", code(result), open_descriptors() - before);
    while (filled > 0) close(fillers[--filled]);
    if (variant == CLOSED) uv_close(HANDLE(&tcp), on_close);
    uv_run(owner, UV_RUN_NOWAIT);
    while (uv_stream_get_write_queue_size(STREAM(&pipe)) > 0 || uv_loop_alive(&loop)) {
        received += drain(fds[1]);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    received += drain(fds[1]);
    print("  %d received", received);
    if (variant != CLOSED) uv_close(HANDLE(&tcp), NULL);
    uv_close(HANDLE(&pipe), NULL);
    uv_run(owner, UV_RUN_DEFAULT);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(fds[1]);
}

int main(void) {
    struct rlimit limit = {.rlim_cur = 128, .rlim_max = 128};
    assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    uv_loop_init(&loop);
    uv_loop_init(&other);
    run_scenario("same loop", &loop, KEPT);
    run_scenario("same loop, closed", &loop, CLOSED);
    run_scenario("same loop, no descriptor left", &loop, NO_DESCRIPTORS);
    run_scenario("other loop", &other, KEPT);
    run_scenario("other loop, closed", &other, CLOSED);
    run_scenario("other loop, no descriptor left", &other, NO_DESCRIPTORS);
    print("close: %s %s", code(close_loop(&loop)), code(close_loop(&other)));
    return 0;
}
