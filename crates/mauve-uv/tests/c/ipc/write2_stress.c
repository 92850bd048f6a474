/* Two processes write megabytes to each other, and pass handles in between: nothing is lost or
 * reordered. */
#include "net.h"

#include <sys/wait.h>

enum { ROUNDS = 200, SIZE = 20000 };

static uv_loop_t loop;
static uv_pipe_t channel, extra;
static uv_write_t writes[ROUNDS];
static char data[SIZE];
static size_t received;
static int written, handles, failures;

static void stop_if_done(void) {
    if (written == ROUNDS && received == ROUNDS * SIZE) uv_stop(&loop);
}

static void on_write(uv_write_t *request, int status) {
    if (status != 0 || request != &writes[written]) failures++;
    written++;
    stop_if_done();
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count < 0) {
        failures++;
        uv_close(HANDLE(stream), NULL);
        return;
    }
    for (ssize_t i = 0; i < count; i++) {
        if (buffer->base[i] != data[(received + i) % SIZE]) failures++;
    }
    received += count;
    while (uv_pipe_pending_count(&channel) > 0) {
        uv_pipe_t *accepted = malloc(sizeof *accepted);
        uv_pipe_init(&loop, accepted, 0);
        if (uv_accept(stream, STREAM(accepted)) != 0) failures++;
        handles++;
        uv_close(HANDLE(accepted), (uv_close_cb)free);
    }
    stop_if_done();
}

static void exchange(int fd) {
    for (int i = 0; i < SIZE; i++) data[i] = (char)(i * 7 + i / 200);
    uv_loop_init(&loop);
    uv_pipe_init(&loop, &channel, 1);
    uv_pipe_open(&channel, fd);
    int peer = pipe_with_peer(&loop, &extra);
    for (int i = 0; i < ROUNDS; i++) {
        uv_buf_t buffer = uv_buf_init(data, SIZE);
        uv_stream_t *passed = i % 10 == 5 ? STREAM(&extra) : NULL;
        assert(uv_write2(&writes[i], STREAM(&channel), &buffer, 1, passed, on_write) == 0);
    }
    uv_read_start(STREAM(&channel), on_alloc, on_read);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(peer);
}

int main(void) {
    int ends[2], finished[2], status;
    char byte;
    local_sockets(ends);
    assert(pipe(finished) == 0);
    pid_t pid = fork();
    close(ends[pid == 0]);
    exchange(ends[pid != 0]);
    close(finished[1]);
    if (pid == 0) {
        /* Waits until the parent has read everything. */
        assert(read(finished[0], &byte, 1) == 0);
        _exit(failures != 0 || written != ROUNDS || handles != ROUNDS / 10 ||
              close_loop(&loop) != 0);
    }
    waitpid(pid, &status, 0);
    print("received %zu, written %d, handles %d, failures %d", received, written, handles,
          failures);
    print("child %d, close_loop %s", WEXITSTATUS(status), code(close_loop(&loop)));
    return 0;
}
