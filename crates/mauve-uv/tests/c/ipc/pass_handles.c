/* uv_write2 and uv_accept pass TCP and pipe handles between two processes, in both directions. */
#include "net.h"

#include <sys/wait.h>

static uv_loop_t loop;
static uv_pipe_t channel;
static uv_tcp_t tcp;
static uv_pipe_t pipe_;
static uv_write_t writes[4];
static int accepted;
static const char *process_name;
static char reads[2][64];

static void on_write(uv_write_t *request, int status) {
    print("%s: write %d %s, send_handle %d", process_name, (int)(request - writes), code(status),
          request->send_handle != NULL);
}

static void on_passed_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    /* Printed at the end, because the order relative to the next read is arbitrary. */
    snprintf(reads[stream->type == UV_TCP], sizeof *reads, "read %s %.*s",
             length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    uv_close(HANDLE(stream), NULL);
}

static void send_handle(void *handle, const char *text, int which) {
    uv_buf_t buffer = uv_buf_init((char *)text, strlen(text));
    print("%s: write2 %s", process_name,
          code(uv_write2(&writes[which], STREAM(&channel), &buffer, 1, handle, on_write)));
}

/* The child sends each handle back. */
static void on_child_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    static uv_tcp_t received;
    static uv_pipe_t received_pipe;
    if (count < 0) {
        uv_close(HANDLE(stream), NULL);
        return;
    }
    int pending = uv_pipe_pending_count(&channel);
    uv_handle_type type = uv_pipe_pending_type(&channel);
    print("%s: %.*s, pending %d, %s", process_name, (int)count, buffer->base, pending,
          type ? uv_handle_type_name(type) : "none");
    if (type == UV_TCP) {
        uv_tcp_init(&loop, &received);
        print("%s: accept %s", process_name, code(uv_accept(stream, STREAM(&received))));
        print_stream_state("child: received", &received);
        send_handle(&received, "back", 0);
        uv_close(HANDLE(&received), NULL);
    } else if (type == UV_NAMED_PIPE) {
        uv_pipe_init(&loop, &received_pipe, 0);
        print("%s: accept %s", process_name, code(uv_accept(stream, STREAM(&received_pipe))));
        print_stream_state("child: received", &received_pipe);
        send_handle(&received_pipe, "back", 1);
        uv_close(HANDLE(&received_pipe), NULL);
    }
    print("%s: pending %d, accept %s", process_name, uv_pipe_pending_count(&channel),
          code(uv_accept(stream, STREAM(&pipe_))));
}

static int child(int fd) {
    process_name = "child";
    uv_loop_init(&loop);
    uv_pipe_init(&loop, &channel, 1);
    uv_pipe_init(&loop, &pipe_, 0);
    assert(uv_pipe_open(&channel, fd) == 0);
    uv_read_start(STREAM(&channel), on_alloc, on_child_read);
    uv_unref(HANDLE(&pipe_));
    uv_run(&loop, UV_RUN_DEFAULT);
    print("child: close_loop %s", code(close_loop(&loop)));
    return 0;
}

static int expected;

static void on_parent_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    static uv_tcp_t received;
    static uv_pipe_t received_pipe;
    uv_handle_type type = uv_pipe_pending_type(&channel);
    print("parent: %.*s, pending %d, %s", count > 0 ? (int)count : 0, buffer->base,
          uv_pipe_pending_count(&channel), type ? uv_handle_type_name(type) : "none");
    accepted++;
    uv_stream_t *into = type == UV_TCP ? STREAM(&received) : STREAM(&received_pipe);
    if (type == UV_TCP) uv_tcp_init(&loop, &received);
    else uv_pipe_init(&loop, &received_pipe, 0);
    print("parent: accept %s", code(uv_accept(stream, into)));
    print("parent: read_start %s", code(uv_read_start(into, on_alloc, on_passed_read)));
    if (accepted == expected) uv_close(HANDLE(stream), NULL);
}

int main(void) {
    int ends[2], tcps[2], pipes[2], status;

    local_sockets(ends);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        /* The output of the child is discarded. */
        setvbuf(stdout, NULL, _IOFBF, 1 << 16);
        freopen("/dev/null", "w", stdout);
        _exit(child(ends[1]));
    }
    process_name = "parent";
    close(ends[1]);
    tcp_sockets(tcps);
    local_sockets(pipes);
    assert(write(tcps[1], "over tcp", 8) == 8);
    assert(write(pipes[1], "over pipe", 9) == 9);

    uv_loop_init(&loop);
    uv_pipe_init(&loop, &channel, 1);
    print("none pending %d %d", uv_pipe_pending_count(&channel), uv_pipe_pending_type(&channel));
    print("write2 without descriptor %s",
          code(uv_write2(&writes[0], STREAM(&channel), &(uv_buf_t){"x", 1}, 1, NULL, on_write)));
    assert(uv_pipe_open(&channel, ends[0]) == 0);
    uv_tcp_init(&loop, &tcp);
    send_handle(&tcp, "no socket", 0);
    uv_tcp_open(&tcp, tcps[0]);
    uv_pipe_init(&loop, &pipe_, 0);
    uv_pipe_open(&pipe_, pipes[0]);
    expected = 2;
    uv_read_start(STREAM(&channel), on_alloc, on_parent_read);
    send_handle(&tcp, "tcp", 0);
    uv_run(&loop, UV_RUN_ONCE);
    while (accepted < 1) uv_run(&loop, UV_RUN_ONCE);
    send_handle(&pipe_, "pipe", 1);
    uv_close(HANDLE(&tcp), NULL);
    while (accepted < 2) uv_run(&loop, UV_RUN_ONCE);
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    waitpid(pid, &status, 0);
    print("%s, %s", reads[0], reads[1]);
    print("child exited with %d", WEXITSTATUS(status));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
