/* uv_write2 opens no descriptor, whether the write is sent at once or queued. */
#include "net.h"

#include <sys/resource.h>

static uv_loop_t loop;
static uv_pipe_t ipc;
static uv_tcp_t tcp;
static uv_write_t writes[2];
static char data[4 << 20];

static void on_write(uv_write_t *request, int status) {
    print("  written %d %s", (int)(request - writes), code(status));
}

/* Receives bytes and descriptors until the socket is empty. */
static void receive(int fd, size_t *bytes, int *descriptors) {
    char control[CMSG_SPACE(sizeof(int))];
    for (;;) {
        struct iovec vector = {read_buffer, sizeof read_buffer};
        struct msghdr message = {
            .msg_iov = &vector,
            .msg_iovlen = 1,
            .msg_control = control,
            .msg_controllen = sizeof control,
        };
        ssize_t count = recvmsg(fd, &message, MSG_DONTWAIT);
        if (count <= 0) return;
        *bytes += count;
        if (CMSG_FIRSTHDR(&message) != NULL) {
            int passed;
            memcpy(&passed, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof passed);
            close(passed);
            ++*descriptors;
        }
    }
}

static void run_scenario(size_t before, int closes) {
    int ends[2], descriptors = 0;
    size_t bytes = 0;
    struct rlimit limit, none;
    uv_buf_t all = uv_buf_init(data, before), byte = uv_buf_init("x", 1);
    print("after %zu queued bytes, handle closed %d", before, closes);
    assert(uv_loop_init(&loop) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(uv_pipe_init(&loop, &ipc, 1) == 0);
    assert(uv_pipe_open(&ipc, ends[0]) == 0);
    int peer = tcp_with_peer(&loop, &tcp);
    assert(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    none = limit;
    none.rlim_cur = 0;
    assert(setrlimit(RLIMIT_NOFILE, &none) == 0);
    if (before > 0) {
        print("  write %s", code(uv_write(&writes[0], STREAM(&ipc), &all, 1, on_write)));
    }
    print("  write2 %s",
          code(uv_write2(&writes[1], STREAM(&ipc), &byte, 1, STREAM(&tcp), on_write)));
    assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    if (closes) uv_close(HANDLE(&tcp), NULL);
    while (uv_run(&loop, UV_RUN_NOWAIT) != 0) receive(ends[1], &bytes, &descriptors);
    receive(ends[1], &bytes, &descriptors);
    print("  received %zu bytes, %d descriptors", bytes, descriptors);
    print("  close_loop %s", code(close_loop(&loop)));
    close(ends[1]);
    close(peer);
}

int main(void) {
    run_scenario(0, 0);
    run_scenario(sizeof data, 0);
    run_scenario(sizeof data, 1);
    return 0;
}
