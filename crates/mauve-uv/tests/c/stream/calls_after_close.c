/* Results of stream calls while a stream is closing, and in its close callback. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t tcp;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream, (void)buffer;
    print("  read %s", length_or_code(count));
}

static void call_all(const char *when) {
    static uv_write_t write_request;
    static uv_shutdown_t shutdown_request;
    uv_buf_t buffer = uv_buf_init("x", 1);
    struct sockaddr_in address;
    int length = sizeof address, value = 0;
    uv_os_fd_t fd;

    print("%s", when);
    print_stream_state("  state", &tcp);
    print("  read_start %s", code(uv_read_start(STREAM(&tcp), on_alloc, on_read)));
    print("  read_stop %s", code(uv_read_stop(STREAM(&tcp))));
    print("  write %s", code(uv_write(&write_request, STREAM(&tcp), &buffer, 1, NULL)));
    print("  try_write %s", code(uv_try_write(STREAM(&tcp), &buffer, 1)));
    print("  shutdown %s", code(uv_shutdown(&shutdown_request, STREAM(&tcp), NULL)));
    print("  fileno %s", code(uv_fileno(HANDLE(&tcp), &fd)));
    print("  sockname %s", code(uv_tcp_getsockname(&tcp, (struct sockaddr *)&address, &length)));
    print("  peername %s", code(uv_tcp_getpeername(&tcp, (struct sockaddr *)&address, &length)));
    print("  buffer %s", code(uv_send_buffer_size(HANDLE(&tcp), &value)));
    print("  listen %s", code(uv_listen(STREAM(&tcp), 1, NULL)));
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    call_all("in the close callback");
}

int main(void) {
    uv_loop_init(&loop);
    int peer = tcp_with_peer(&loop, &tcp);
    uv_close(HANDLE(&tcp), on_close);
    call_all("closing");
    uv_run(&loop, UV_RUN_DEFAULT);
    close(peer);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
