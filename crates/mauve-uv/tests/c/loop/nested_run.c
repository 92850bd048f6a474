/* uv_run in a callback of the same loop: which callbacks the inner and the outer run make. */
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"

enum { COUNT = 4 };

static uv_loop_t loop;
static uv_run_mode mode;
static int depth;
static int nested;

static void print_and_nest(const char *what, void *data) {
    long number = (long)data;
    print("%*s%s %ld", 2 * depth, "", what, number);
    if (number != 1 || nested)
        return;
    nested = 1;
    depth++;
    print("  run: %d", uv_run(&loop, mode));
    depth--;
    print("%s 1 returns", what);
}

static void on_idle(uv_idle_t *handle) { print_and_nest("idle", handle->data); }
static void on_prepare(uv_prepare_t *handle) { print_and_nest("prepare", handle->data); }
static void on_check(uv_check_t *handle) { print_and_nest("check", handle->data); }
static void on_async(uv_async_t *handle) { print_and_nest("async", handle->data); }
static void on_close(uv_handle_t *handle) { print_and_nest("close", handle->data); }
static void on_signal(uv_signal_t *handle, int number) {
    (void)number;
    print_and_nest("signal", handle->data);
}
static void on_write(uv_write_t *request, int status) {
    (void)status;
    print_and_nest("write", request->data);
}

static char memory[64];

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    (void)size;
    *buffer = uv_buf_init(memory, sizeof(memory));
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer) {
    (void)buffer;
    print("%*s%d bytes", 2 * depth, "", (int)size);
    print_and_nest("read", stream->data);
}

static union {
    uv_handle_t handle;
    uv_idle_t idle;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_async_t async;
    uv_signal_t signal;
    uv_pipe_t pipe;
} all[COUNT];
static uv_write_t writes[COUNT];
static int peers[COUNT];

static void open_pair(uv_pipe_t *pipe, int *peer) {
    int fds[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
    uv_pipe_init(&loop, pipe, 0);
    assert(uv_pipe_open(pipe, fds[0]) == 0);
    *peer = fds[1];
}

static void close_all(uv_handle_t *handle, void *argument) {
    (void)argument;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static void check_kind(const char *what) {
    uv_buf_t byte = uv_buf_init("x", 1);
    long i;

    print("%s in mode %d", what, mode);
    uv_loop_init(&loop);
    nested = 0;
    for (i = 0; i < COUNT; i++)
        peers[i] = -1;
    for (i = 0; i < COUNT; i++) {
        switch (what[0]) {
        case 'i':
            uv_idle_init(&loop, &all[i].idle);
            uv_idle_start(&all[i].idle, on_idle);
            break;
        case 'p':
            uv_prepare_init(&loop, &all[i].prepare);
            uv_prepare_start(&all[i].prepare, on_prepare);
            break;
        case 'c':
            uv_check_init(&loop, &all[i].check);
            uv_check_start(&all[i].check, on_check);
            break;
        case 'a':
            uv_async_init(&loop, &all[i].async, on_async);
            uv_async_send(&all[i].async);
            break;
        case 'x':
            uv_idle_init(&loop, &all[i].idle);
            uv_close(&all[i].handle, on_close);
            break;
        case 's':
            uv_signal_init(&loop, &all[i].signal);
            uv_signal_start(&all[i].signal, on_signal, SIGUSR1);
            break;
        case 'r':
            open_pair(&all[i].pipe, &peers[i]);
            uv_read_start((uv_stream_t *)&all[i].pipe, on_alloc, on_read);
            assert(write(peers[i], "hello", 5) == 5);
            break;
        case 'w':
            if (i == 0)
                open_pair(&all[0].pipe, &peers[0]);
            writes[i].data = (void *)i;
            uv_write(&writes[i], (uv_stream_t *)&all[0].pipe, &byte, 1, on_write);
            break;
        }
        all[i].handle.data = (void *)i;
    }
    if (what[0] == 's')
        raise(SIGUSR1);
    for (i = 0; i < 3; i++)
        print("outer run: %d", uv_run(&loop, UV_RUN_NOWAIT));
    uv_walk(&loop, close_all, NULL);
    print("last run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close: %d", uv_loop_close(&loop));
    for (i = 0; i < COUNT; i++)
        if (peers[i] >= 0)
            close(peers[i]);
}

int main(void) {
    const char *kinds[] = {"idle", "prepare", "check", "async", "x: close", "signal", "read", "write"};
    unsigned i;

    mode = UV_RUN_NOWAIT;
    for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        check_kind(kinds[i]);
    /* With these, a nested run that waits has an event at once. */
    mode = UV_RUN_ONCE;
    check_kind("idle");
    check_kind("read");
    return 0;
}
