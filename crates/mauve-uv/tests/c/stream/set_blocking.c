/* uv_stream_set_blocking: uv_write blocks until the peer reads, and the callback runs later. */
#include "net.h"

#include <fcntl.h>
#include <pthread.h>

static uv_loop_t loop;
static uv_pipe_t pipe_;
static uv_write_t write_;
static char data[4 << 20];
static int called;

static void on_write(uv_write_t *request, int status) {
    (void)request;
    called = 1;
    print("write %s", code(status));
}

static void *drain(void *peer) {
    size_t total = 0;
    ssize_t count;
    static char buffer[65536];
    while ((count = read(*(int *)peer, buffer, sizeof buffer)) > 0) total += count;
    return (void *)total;
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("read %s", length_or_code(count));
    if (count < 0) uv_close(HANDLE(stream), NULL);
}

int main(void) {
    uv_buf_t whole = uv_buf_init(data, sizeof data);
    pthread_t thread;
    uv_os_fd_t fd;
    void *total;

    uv_loop_init(&loop);
    int peer = pipe_with_peer(&loop, &pipe_);
    uv_fileno(HANDLE(&pipe_), &fd);
    print("set %s", code(uv_stream_set_blocking(STREAM(&pipe_), 1)));
    print("non-blocking %d", !!(fcntl(fd, F_GETFL) & O_NONBLOCK));
    pthread_create(&thread, NULL, drain, &peer);
    print("write %s", code(uv_write(&write_, STREAM(&pipe_), &whole, 1, on_write)));
    print("queue %zu, called %d", pipe_.write_queue_size, called);
    uv_run(&loop, UV_RUN_DEFAULT);
    shutdown(fd, SHUT_WR);
    pthread_join(thread, &total);
    print("total %zu", (size_t)total);
    uv_read_start(STREAM(&pipe_), on_alloc, on_read);
    assert(write(peer, "abc", 3) == 3);
    close(peer);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
