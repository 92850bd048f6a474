/* Descriptors that arrive queue up, in order with the bytes; what is not taken is closed. */
#include "net.h"

#include <fcntl.h>

static uv_loop_t loop;
static uv_pipe_t sender, receiver;
static uv_write_t writes[6];
static int total;

static void on_write(uv_write_t *request, int status) {
    say("  write %d %s, to be sent %d", (int)(request - writes), code(status),
        request->send_handle != NULL);
}

static const char *type_name(void) {
    uv_handle_type type = uv_pipe_pending_type(&receiver);
    return type == UV_UNKNOWN_HANDLE ? "none" : uv_handle_type_name(type);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream;
    say("  read %s %.*s, pending %d %s", length_or_code(count), count > 0 ? (int)count : 0,
        buffer->base, uv_pipe_pending_count(&receiver), type_name());
    total += count;
}

static int open_descriptors(void) {
    int count = 0;
    for (int fd = 0; fd < 200; fd++) count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void connected(int ipc) {
    int ends[2];
    local_sockets(ends);
    uv_pipe_init(&loop, &sender, ipc);
    uv_pipe_init(&loop, &receiver, ipc);
    uv_pipe_open(&sender, ends[0]);
    uv_pipe_open(&receiver, ends[1]);
    total = 0;
}

static void turn(int times) {
    while (times-- > 0) uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    uv_tcp_t tcp, got;
    uv_pipe_t pipe_, got_pipe;
    int fds[2];
    uv_buf_t byte = uv_buf_init("abcdef", 1), word = uv_buf_init("word", 4);

    uv_loop_init(&loop);
    uv_tcp_init_ex(&loop, &tcp, AF_INET);
    local_sockets(fds);
    uv_pipe_init(&loop, &pipe_, 0);
    uv_pipe_open(&pipe_, fds[0]);

    say("not for descriptors");
    connected(0);
    say("  write2 %s", code(uv_write2(&writes[0], STREAM(&sender), &byte, 1, STREAM(&tcp), on_write)));
    say("  write2 on tcp %s", code(uv_write2(&writes[0], STREAM(&tcp), &byte, 1, STREAM(&pipe_), on_write)));
    uv_close(HANDLE(&sender), NULL);
    uv_close(HANDLE(&receiver), NULL);
    turn(2);

    say("several");
    int before = open_descriptors();
    connected(1);
    say("  write2 %s", code(uv_write2(&writes[0], STREAM(&sender), &word, 1, STREAM(&tcp), on_write)));
    say("  write %s", code(uv_write(&writes[1], STREAM(&sender), &word, 1, on_write)));
    say("  write2 %s", code(uv_write2(&writes[2], STREAM(&sender), &word, 1, STREAM(&pipe_), on_write)));
    say("  write2 %s", code(uv_write2(&writes[3], STREAM(&sender), &byte, 1, STREAM(&tcp), on_write)));
    say("  try_write2 %d", uv_try_write2(STREAM(&sender), &byte, 1, STREAM(&tcp)));
    uv_read_start(STREAM(&receiver), on_alloc, on_read);
    turn(6);
    say("  total %d, pending %d", total, uv_pipe_pending_count(&receiver));
    uv_tcp_init(&loop, &got);
    uv_pipe_init(&loop, &got_pipe, 0);
    say("  accept %s, then %d %s", code(uv_accept(STREAM(&receiver), STREAM(&got))),
        uv_pipe_pending_count(&receiver), type_name());
    state("  got", &got);
    say("  accept %s, then %d %s", code(uv_accept(STREAM(&receiver), STREAM(&got_pipe))),
        uv_pipe_pending_count(&receiver), type_name());
    state("  got", &got_pipe);
    uv_close(HANDLE(&got), NULL);
    uv_close(HANDLE(&got_pipe), NULL);
    uv_close(HANDLE(&sender), NULL);
    uv_close(HANDLE(&receiver), NULL);
    turn(2);
    say("  as many descriptors as before %d", open_descriptors() == before);

    say("with nothing");
    connected(1);
    say("  write2 %s", code(uv_write2(&writes[0], STREAM(&sender), &byte, 1, NULL, on_write)));
    uv_read_start(STREAM(&receiver), on_alloc, on_read);
    turn(3);
    say("  accept %s", code(uv_accept(STREAM(&receiver), STREAM(&sender))));
    uv_close(HANDLE(&sender), NULL);
    uv_close(HANDLE(&receiver), NULL);
    turn(2);
    close(fds[1]);
    say("finish %s", code(finish(&loop)));
    return 0;
}
