/* uv_pipe_open for descriptors of every kind; uv_pipe and uv_socketpair. */
#include "net.h"

#include <fcntl.h>
#include <sys/stat.h>

static uv_loop_t loop;

static void print_flags(const char *which, const int fds[2]) {
    for (int i = 0; i < 2; i++) {
        print("  %s %d: non-blocking %d, close-on-exec %d", which, i,
              !!(fcntl(fds[i], F_GETFL) & O_NONBLOCK), fcntl(fds[i], F_GETFD) & FD_CLOEXEC);
    }
}

static void open_one(const char *what, int fd) {
    uv_pipe_t pipe_;
    uv_os_fd_t stored = -2;
    uv_pipe_init(&loop, &pipe_, 0);
    int result = uv_pipe_open(&pipe_, fd);
    print("%s: %s", what, code(result));
    print_stream_state("  state", &pipe_);
    print("  fileno %s, same %d", code(uv_fileno(HANDLE(&pipe_), &stored)), stored == fd);
    if (result == 0) {
        print("  non-blocking %d", !!(fcntl(fd, F_GETFL) & O_NONBLOCK));
        print("  again %s", code(uv_pipe_open(&pipe_, fd)));
        int duplicate = dup(fd);
        print("  another %s", code(uv_pipe_open(&pipe_, duplicate)));
        print("  still open %d", fcntl(duplicate, F_GETFD) >= 0);
        close(duplicate);
        print("  bind %s", code(uv_pipe_bind(&pipe_, "x")));
    }
    uv_close(HANDLE(&pipe_), NULL);
    if (result == 0) print("  closed at once %d", fcntl(fd, F_GETFD) < 0);
    else if (fd >= 0) close(fd);
    uv_run(&loop, UV_RUN_DEFAULT);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    print("  read %s %.*s", length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    if (count < 0) uv_close(HANDLE(stream), NULL);
}

static void write_through_fifo(const char *path) {
    uv_pipe_t reader, writer;
    uv_write_t write;
    uv_buf_t buffer = uv_buf_init("through", 7);
    print("fifo");
    uv_pipe_init(&loop, &reader, 0);
    uv_pipe_init(&loop, &writer, 0);
    print("  reader %s", code(uv_pipe_open(&reader, open(path, O_RDONLY | O_NONBLOCK))));
    print("  writer %s", code(uv_pipe_open(&writer, open(path, O_WRONLY))));
    print_stream_state("  reader", &reader);
    print_stream_state("  writer", &writer);
    uv_read_start(STREAM(&reader), on_alloc, on_read);
    print("  write %s", code(uv_write(&write, STREAM(&writer), &buffer, 1, NULL)));
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    uv_close(HANDLE(&writer), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    char directory[] = "/tmp/pipe-open-XXXXXX", path[64];
    int fds[2];
    uv_loop_init(&loop);
    assert(mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/fifo", directory);

    for (int i = 0; i < 4; i++) {
        int first = i & 1 ? UV_NONBLOCK_PIPE : 0, second = i & 2 ? UV_NONBLOCK_PIPE : 0;
        print("uv_pipe %s", code(uv_pipe(fds, first, second)));
        print_flags("end", fds);
        open_one("  reading end", fds[0]);
        open_one("  writing end", fds[1]);
        print("uv_socketpair %s", code(uv_socketpair(SOCK_STREAM, 0, fds, first, second)));
        print_flags("end", fds);
        open_one("  first end", fds[0]);
        open_one("  second end", fds[1]);
    }
    print("bad type %s", code(uv_socketpair(15, 0, fds, 0, 0)));
    print("datagrams %s", code(uv_socketpair(SOCK_DGRAM, 0, fds, 0, 0)));
    close(fds[0]);
    close(fds[1]);
    open_one("negative", -1);
    open_one("bad", 777);
    open_one("/dev/null", open("/dev/null", O_RDWR));
    open_one("directory", open("/tmp", O_RDONLY));
    assert(mkfifo(path, 0600) == 0);
    open_one("fifo, read and write", open(path, O_RDWR));
    write_through_fifo(path);
    unlink(path);
    rmdir(directory);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
