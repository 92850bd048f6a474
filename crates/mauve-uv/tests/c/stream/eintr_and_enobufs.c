/* A call that fails with EINTR is repeated; one that fails with ENOBUFS is repeated when the
 * socket is writable. Neither is reported as an error. */
#include "net.h"

#include "inject_io_errors.h"

enum { TIMES = 3 };

static uv_loop_t loop;
static uv_pipe_t channel, peer, passed;
static uv_write_t writes[2];
static size_t received;
static int handles;

static void on_write(uv_write_t *request, int status) {
    print("  write %d: %s", (int)(request - writes), code(status));
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    if (count < 0) {
        print("  read: %s", code(count));
        return uv_close(HANDLE(stream), NULL);
    }
    received += count;
    handles = uv_pipe_pending_count((uv_pipe_t *)stream);
    if (received == 7) uv_read_stop(stream);
}

/* Two writes and a handle, with injected errors on one end. */
static void run_scenario(const char *name, int failing_end, int ipc, int error) {
    int ends[2], others[2];
    uv_buf_t words[] = {uv_buf_init("fo", 2), uv_buf_init("ur", 2)};
    uv_buf_t three = uv_buf_init("one", 3);
    print("%s", name);
    received = handles = 0;
    uv_loop_init(&loop);
    local_sockets(ends);
    local_sockets(others);
    if (!trap_io_calls(ends[failing_end])) exit(0);
    uv_pipe_init(&loop, &channel, ipc);
    uv_pipe_init(&loop, &peer, ipc);
    uv_pipe_init(&loop, &passed, 0);
    uv_pipe_open(&channel, ends[0]);
    uv_pipe_open(&peer, ends[1]);
    uv_pipe_open(&passed, others[0]);
    uv_read_start(STREAM(&peer), on_alloc, on_read);
    fail_next_io_calls(TIMES, error);
    if (ipc) uv_write2(&writes[0], STREAM(&channel), &three, 1, STREAM(&passed), on_write);
    else uv_write(&writes[0], STREAM(&channel), &three, 1, on_write);
    uv_write(&writes[1], STREAM(&channel), words, 2, on_write);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  received %zu, handles %d, failed %d", received, handles, remaining_failures <= 0);
    print("  close %s", code(close_loop(&loop)));
    close(others[1]);
}

int main(void) {
    run_scenario("interrupted writes", 0, 0, EINTR);
    run_scenario("interrupted reads", 1, 0, EINTR);
    run_scenario("interrupted writes with a handle", 0, 1, EINTR);
    run_scenario("interrupted reads of a handle", 1, 1, EINTR);
    run_scenario("writes with ENOBUFS", 0, 0, ENOBUFS);
    run_scenario("writes of a handle with ENOBUFS", 0, 1, ENOBUFS);
    return 0;
}
