/* uv_write2 passes a UDP socket to another process, where its pending type is UV_UDP. */
#include "net.h"

#include <sys/wait.h>

static uv_loop_t loop;
static uv_pipe_t channel;
static uv_udp_t udp;
static uv_write_t write_;
static uv_udp_send_t send_;

static void on_write(uv_write_t *request, int status) {
    (void)request;
    print("write %s", code(status));
}

static void on_receive(uv_udp_t *handle, ssize_t count, const uv_buf_t *buffer,
                       const struct sockaddr *from, unsigned flags) {
    (void)flags;
    if (from == NULL) return;
    print("received %s %.*s", length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    uv_close(HANDLE(handle), NULL);
    uv_close(HANDLE(&channel), NULL);
}

/* The child sends a datagram from the socket it receives, to that socket itself. */
static void on_child_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    static uv_udp_t received;
    struct sockaddr_in address;
    int length = sizeof address;
    uv_buf_t bytes = uv_buf_init("from the child", 14);
    (void)buffer;
    if (count < 0) return uv_close(HANDLE(stream), NULL);
    if (uv_pipe_pending_count(&channel) != 1) _exit(1);
    if (uv_pipe_pending_type(&channel) != UV_UDP) _exit(2);
    uv_udp_init(&loop, &received);
    if (uv_accept(stream, STREAM(&received)) != 0) _exit(3);
    if (uv_udp_getsockname(&received, (struct sockaddr *)&address, &length) != 0) _exit(4);
    if (uv_udp_send(&send_, &received, &bytes, 1, SOCKADDR(&address), NULL) != 0) _exit(5);
    uv_close(HANDLE(stream), NULL);
}

static int child(int fd) {
    uv_loop_init(&loop);
    uv_pipe_init(&loop, &channel, 1);
    uv_pipe_open(&channel, fd);
    uv_read_start(STREAM(&channel), on_alloc, on_child_read);
    uv_run(&loop, UV_RUN_DEFAULT);
    return close_loop(&loop) == 0 ? 0 : 6;
}

int main(void) {
    struct sockaddr_in address = loopback(0);
    uv_buf_t byte = uv_buf_init("x", 1);
    int ends[2], status;
    local_sockets(ends);
    pid_t pid = fork();
    close(ends[pid != 0]);
    if (pid == 0) _exit(child(ends[1]));
    uv_loop_init(&loop);
    uv_pipe_init(&loop, &channel, 1);
    uv_pipe_open(&channel, ends[0]);
    uv_udp_init(&loop, &udp);
    print("no socket %s",
          code(uv_write2(&write_, STREAM(&channel), &byte, 1, STREAM(&udp), on_write)));
    uv_udp_bind(&udp, SOCKADDR(&address), 0);
    uv_udp_recv_start(&udp, on_alloc, on_receive);
    print("write2 %s",
          code(uv_write2(&write_, STREAM(&channel), &byte, 1, STREAM(&udp), on_write)));
    uv_run(&loop, UV_RUN_DEFAULT);
    waitpid(pid, &status, 0);
    print("child %d", WEXITSTATUS(status));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
