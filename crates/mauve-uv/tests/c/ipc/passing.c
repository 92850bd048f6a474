/* Handles travel between two processes: a listening socket, connections, pipes; both ways. */
#include "net.h"

#include <sys/wait.h>

static uv_loop_t loop;
static uv_pipe_t channel;
static uv_tcp_t tcp;
static uv_pipe_t pipe_;
static uv_write_t writes[4];
static int steps;
static const char *who;
static char greetings[2][64];

static void on_write(uv_write_t *request, int status) {
    say("%s: write %d %s, send_handle %d", who, (int)(request - writes), code(status),
        request->send_handle != NULL);
}

static void on_greeting(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    /* Said at the end: it comes before or after the child's next word. */
    snprintf(greetings[stream->type == UV_TCP], sizeof *greetings, "greeted %s %.*s",
             length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    uv_close(HANDLE(stream), NULL);
}

static void send_handle(void *handle, const char *text, int which) {
    uv_buf_t buffer = uv_buf_init((char *)text, strlen(text));
    say("%s: write2 %s", who,
        code(uv_write2(&writes[which], STREAM(&channel), &buffer, 1, handle, on_write)));
}

/* The child sends back what it gets, and then a pipe. */
static void on_child_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    static uv_tcp_t got;
    static uv_pipe_t got_pipe;
    if (count < 0) {
        uv_close(HANDLE(stream), NULL);
        return;
    }
    int pending = uv_pipe_pending_count(&channel);
    uv_handle_type type = uv_pipe_pending_type(&channel);
    say("%s: %.*s, pending %d, %s", who, (int)count, buffer->base, pending,
        type ? uv_handle_type_name(type) : "none");
    if (type == UV_TCP) {
        uv_tcp_init(&loop, &got);
        say("%s: accept %s", who, code(uv_accept(stream, STREAM(&got))));
        state("child: got", &got);
        send_handle(&got, "back", 0);
        uv_close(HANDLE(&got), NULL);
    } else if (type == UV_NAMED_PIPE) {
        uv_pipe_init(&loop, &got_pipe, 0);
        say("%s: accept %s", who, code(uv_accept(stream, STREAM(&got_pipe))));
        state("child: got", &got_pipe);
        send_handle(&got_pipe, "back", 1);
        uv_close(HANDLE(&got_pipe), NULL);
    }
    say("%s: pending %d, accept %s", who, uv_pipe_pending_count(&channel),
        code(uv_accept(stream, STREAM(&pipe_))));
}

static int child(int fd) {
    who = "child";
    uv_loop_init(&loop);
    uv_pipe_init(&loop, &channel, 1);
    uv_pipe_init(&loop, &pipe_, 0);
    assert(uv_pipe_open(&channel, fd) == 0);
    uv_read_start(STREAM(&channel), on_alloc, on_child_read);
    uv_unref(HANDLE(&pipe_));
    uv_run(&loop, UV_RUN_DEFAULT);
    say("child: finish %s", code(finish(&loop)));
    return 0;
}

static int expected;

static void on_parent_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    static uv_tcp_t got;
    static uv_pipe_t got_pipe;
    uv_handle_type type = uv_pipe_pending_type(&channel);
    say("parent: %.*s, pending %d, %s", count > 0 ? (int)count : 0, buffer->base,
        uv_pipe_pending_count(&channel), type ? uv_handle_type_name(type) : "none");
    steps++;
    uv_stream_t *into = type == UV_TCP ? STREAM(&got) : STREAM(&got_pipe);
    if (type == UV_TCP) uv_tcp_init(&loop, &got);
    else uv_pipe_init(&loop, &got_pipe, 0);
    say("parent: accept %s", code(uv_accept(stream, into)));
    say("parent: read_start %s", code(uv_read_start(into, on_alloc, on_greeting)));
    if (steps == expected) uv_close(HANDLE(stream), NULL);
}

int main(void) {
    int ends[2], tcps[2], pipes[2], status;

    local_sockets(ends);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        /* Its words come after the parent's. */
        setvbuf(stdout, NULL, _IOFBF, 1 << 16);
        freopen("/dev/null", "w", stdout);
        _exit(child(ends[1]));
    }
    who = "parent";
    close(ends[1]);
    tcp_sockets(tcps);
    local_sockets(pipes);
    assert(write(tcps[1], "over tcp", 8) == 8);
    assert(write(pipes[1], "over pipe", 9) == 9);

    uv_loop_init(&loop);
    uv_pipe_init(&loop, &channel, 1);
    say("none pending %d %d", uv_pipe_pending_count(&channel), uv_pipe_pending_type(&channel));
    say("write2 without descriptor %s",
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
    while (steps < 1) uv_run(&loop, UV_RUN_ONCE);
    send_handle(&pipe_, "pipe", 1);
    uv_close(HANDLE(&tcp), NULL);
    while (steps < 2) uv_run(&loop, UV_RUN_ONCE);
    uv_close(HANDLE(&pipe_), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    waitpid(pid, &status, 0);
    say("%s, %s", greetings[0], greetings[1]);
    say("child ended with %d", WEXITSTATUS(status));
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
