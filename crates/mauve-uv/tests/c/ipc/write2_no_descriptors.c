/* uv_write2 opens no descriptor, so it works at the limit of open files. */
#include "net.h"

#include <sys/resource.h>

static uv_loop_t loop;
static uv_pipe_t channel;
static uv_tcp_t passed;
static uv_write_t request;

static void on_write(uv_write_t *req, int status) {
    print("write %s, handle %d", code(status), req->send_handle != NULL);
}

int main(void) {
    struct rlimit limit = {.rlim_cur = 64, .rlim_max = 64};
    uv_buf_t byte = uv_buf_init("x", 1);
    int ends[2], fds[64], used = 0;
    char control[CMSG_SPACE(sizeof(int))], bytes[8];
    struct iovec vector = {bytes, sizeof bytes};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control,
                             .msg_controllen = sizeof control};

    uv_loop_init(&loop);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    uv_pipe_init(&loop, &channel, 1);
    uv_pipe_open(&channel, ends[0]);
    uv_tcp_init_ex(&loop, &passed, AF_INET);
    assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    while (used < 64 && (fds[used] = dup(0)) >= 0) used++;
    print("write2 %s", code(uv_write2(&request, STREAM(&channel), &byte, 1, STREAM(&passed),
                                      on_write)));
    uv_run(&loop, UV_RUN_DEFAULT);
    while (used > 0) close(fds[--used]);
    print("received %zd", recvmsg(ends[1], &message, MSG_DONTWAIT));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    print("with a descriptor %d", header != NULL && header->cmsg_type == SCM_RIGHTS);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
