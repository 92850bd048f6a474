/* uv_pipe_pending_count and uv_pipe_pending_type: descriptors are queued in order with the bytes,
 * and closed with the pipe if not accepted. */
#include "net.h"

#include <fcntl.h>

static uv_loop_t loop;
static uv_pipe_t sender, receiver;
static uv_write_t writes[6];
static int total;

static void on_write(uv_write_t *request, int status) {
    print("  write %d %s, send_handle %d", (int)(request - writes), code(status),
          request->send_handle != NULL);
}

static const char *type_name(void) {
    uv_handle_type type = uv_pipe_pending_type(&receiver);
    return type == UV_UNKNOWN_HANDLE ? "none" : uv_handle_type_name(type);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream;
    print("  read %s %.*s, pending %d %s", length_or_code(count), count > 0 ? (int)count : 0,
          buffer->base, uv_pipe_pending_count(&receiver), type_name());
    total += count;
}

static int open_descriptors(void) {
    int count = 0;
    for (int fd = 0; fd < 200; fd++) count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void connect_pipes(int ipc) {
    int ends[2];
    local_sockets(ends);
    uv_pipe_init(&loop, &sender, ipc);
    uv_pipe_init(&loop, &receiver, ipc);
    uv_pipe_open(&sender, ends[0]);
    uv_pipe_open(&receiver, ends[1]);
    total = 0;
}

static void run_nowait(int times) {
    while (times-- > 0) uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    uv_tcp_t tcp, received;
    uv_pipe_t pipe_, received_pipe;
    int fds[2];
    uv_buf_t byte = uv_buf_init("abcdef", 1), word = uv_buf_init("word", 4);

    uv_loop_init(&loop);
    uv_tcp_init_ex(&loop, &tcp, AF_INET);
    local_sockets(fds);
    uv_pipe_init(&loop, &pipe_, 0);
    uv_pipe_open(&pipe_, fds[0]);

    print("pipe without ipc");
    connect_pipes(0);
    print("  write2 %s",
          code(uv_write2(&writes[0], STREAM(&sender), &byte, 1, STREAM(&tcp), on_write)));
    print("  write2 on tcp %s",
          code(uv_write2(&writes[0], STREAM(&tcp), &byte, 1, STREAM(&pipe_), on_write)));
    uv_close(HANDLE(&sender), NULL);
    uv_close(HANDLE(&receiver), NULL);
    run_nowait(2);

    print("several handles");
    int before = open_descriptors();
    connect_pipes(1);
    print("  write2 %s",
          code(uv_write2(&writes[0], STREAM(&sender), &word, 1, STREAM(&tcp), on_write)));
    print("  write %s", code(uv_write(&writes[1], STREAM(&sender), &word, 1, on_write)));
    print("  write2 %s",
          code(uv_write2(&writes[2], STREAM(&sender), &word, 1, STREAM(&pipe_), on_write)));
    print("  write2 %s",
          code(uv_write2(&writes[3], STREAM(&sender), &byte, 1, STREAM(&tcp), on_write)));
    print("  try_write2 %d", uv_try_write2(STREAM(&sender), &byte, 1, STREAM(&tcp)));
    uv_read_start(STREAM(&receiver), on_alloc, on_read);
    run_nowait(6);
    print("  total %d, pending %d", total, uv_pipe_pending_count(&receiver));
    uv_tcp_init(&loop, &received);
    uv_pipe_init(&loop, &received_pipe, 0);
    print("  accept %s, then %d %s", code(uv_accept(STREAM(&receiver), STREAM(&received))),
          uv_pipe_pending_count(&receiver), type_name());
    print_stream_state("  received", &received);
    print("  accept %s, then %d %s", code(uv_accept(STREAM(&receiver), STREAM(&received_pipe))),
          uv_pipe_pending_count(&receiver), type_name());
    print_stream_state("  received", &received_pipe);
    uv_close(HANDLE(&received), NULL);
    uv_close(HANDLE(&received_pipe), NULL);
    uv_close(HANDLE(&sender), NULL);
    uv_close(HANDLE(&receiver), NULL);
    run_nowait(2);
    print("  same number of descriptors %d", open_descriptors() == before);

    print("without a handle");
    connect_pipes(1);
    print("  write2 %s", code(uv_write2(&writes[0], STREAM(&sender), &byte, 1, NULL, on_write)));
    uv_read_start(STREAM(&receiver), on_alloc, on_read);
    run_nowait(3);
    print("  accept %s", code(uv_accept(STREAM(&receiver), STREAM(&sender))));
    uv_close(HANDLE(&sender), NULL);
    uv_close(HANDLE(&receiver), NULL);
    run_nowait(2);
    close(fds[1]);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
