/* What can be asked of a stream that is closing, and of one that is closed. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t tcp;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream, (void)buffer;
    say("  read %s", length_or_code(count));
}

static void ask(const char *when) {
    static uv_write_t write;
    static uv_shutdown_t shut;
    uv_buf_t buffer = uv_buf_init("x", 1);
    struct sockaddr_in address;
    int length = sizeof address, value = 0;
    uv_os_fd_t fd;

    say("%s", when);
    state("  state", &tcp);
    say("  read_start %s", code(uv_read_start(STREAM(&tcp), on_alloc, on_read)));
    say("  read_stop %s", code(uv_read_stop(STREAM(&tcp))));
    say("  write %s", code(uv_write(&write, STREAM(&tcp), &buffer, 1, NULL)));
    say("  try_write %s", code(uv_try_write(STREAM(&tcp), &buffer, 1)));
    say("  shutdown %s", code(uv_shutdown(&shut, STREAM(&tcp), NULL)));
    say("  fileno %s", code(uv_fileno(HANDLE(&tcp), &fd)));
    say("  sockname %s", code(uv_tcp_getsockname(&tcp, (struct sockaddr *)&address, &length)));
    say("  peername %s", code(uv_tcp_getpeername(&tcp, (struct sockaddr *)&address, &length)));
    say("  buffer %s", code(uv_send_buffer_size(HANDLE(&tcp), &value)));
    say("  listen %s", code(uv_listen(STREAM(&tcp), 1, NULL)));
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    ask("in the close callback");
}

int main(void) {
    uv_loop_init(&loop);
    int peer = tcp_with_peer(&loop, &tcp);
    uv_close(HANDLE(&tcp), on_close);
    ask("closing");
    uv_run(&loop, UV_RUN_DEFAULT);
    close(peer);
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
