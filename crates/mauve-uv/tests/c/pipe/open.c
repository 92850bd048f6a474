/* uv_pipe_open on all kinds of descriptors; uv_pipe and uv_socketpair. */
#include "net.h"

#include <fcntl.h>
#include <sys/stat.h>

static uv_loop_t loop;

static void flags(const char *which, const int fds[2]) {
    for (int i = 0; i < 2; i++) {
        say("  %s %d: non-blocking %d, close-on-exec %d", which, i,
            !!(fcntl(fds[i], F_GETFL) & O_NONBLOCK), fcntl(fds[i], F_GETFD) & FD_CLOEXEC);
    }
}

static void open_one(const char *what, int fd) {
    uv_pipe_t pipe_;
    uv_os_fd_t own = -2;
    uv_pipe_init(&loop, &pipe_, 0);
    int result = uv_pipe_open(&pipe_, fd);
    say("%s: %s", what, code(result));
    state("  state", &pipe_);
    say("  fileno %s, same %d", code(uv_fileno(HANDLE(&pipe_), &own)), own == fd);
    if (result == 0) {
        say("  non-blocking %d", !!(fcntl(fd, F_GETFL) & O_NONBLOCK));
        say("  again %s", code(uv_pipe_open(&pipe_, fd)));
        int more = dup(fd);
        say("  another %s", code(uv_pipe_open(&pipe_, more)));
        say("  still open %d", fcntl(more, F_GETFD) >= 0);
        close(more);
        say("  bind %s", code(uv_pipe_bind(&pipe_, "x")));
    }
    uv_close(HANDLE(&pipe_), NULL);
    if (result == 0) say("  closed at once %d", fcntl(fd, F_GETFD) < 0);
    else if (fd >= 0) close(fd);
    uv_run(&loop, UV_RUN_DEFAULT);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    say("  read %s %.*s", length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    if (count < 0) uv_close(HANDLE(stream), NULL);
}

static void through_fifo(const char *path) {
    uv_pipe_t reader, writer;
    uv_write_t write;
    uv_buf_t buffer = uv_buf_init("through", 7);
    say("fifo");
    uv_pipe_init(&loop, &reader, 0);
    uv_pipe_init(&loop, &writer, 0);
    say("  reader %s", code(uv_pipe_open(&reader, open(path, O_RDONLY | O_NONBLOCK))));
    say("  writer %s", code(uv_pipe_open(&writer, open(path, O_WRONLY))));
    state("  reader", &reader);
    state("  writer", &writer);
    uv_read_start(STREAM(&reader), on_alloc, on_read);
    say("  write %s", code(uv_write(&write, STREAM(&writer), &buffer, 1, NULL)));
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    uv_close(HANDLE(&writer), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    char folder[] = "/tmp/pipe-open-XXXXXX", path[64];
    int fds[2];
    uv_loop_init(&loop);
    assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/fifo", folder);

    for (int i = 0; i < 4; i++) {
        int first = i & 1 ? UV_NONBLOCK_PIPE : 0, second = i & 2 ? UV_NONBLOCK_PIPE : 0;
        say("uv_pipe %s", code(uv_pipe(fds, first, second)));
        flags("end", fds);
        open_one("  reading end", fds[0]);
        open_one("  writing end", fds[1]);
        say("uv_socketpair %s", code(uv_socketpair(SOCK_STREAM, 0, fds, first, second)));
        flags("end", fds);
        open_one("  one end", fds[0]);
        open_one("  other end", fds[1]);
    }
    say("bad type %s", code(uv_socketpair(1234, 0, fds, 0, 0)));
    say("datagrams %s", code(uv_socketpair(SOCK_DGRAM, 0, fds, 0, 0)));
    close(fds[0]);
    close(fds[1]);
    open_one("negative", -1);
    open_one("bad", 777);
    open_one("null device", open("/dev/null", O_RDWR));
    open_one("folder", open("/tmp", O_RDONLY));
    assert(mkfifo(path, 0600) == 0);
    open_one("fifo both ways", open(path, O_RDWR));
    through_fifo(path);
    unlink(path);
    rmdir(folder);
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
