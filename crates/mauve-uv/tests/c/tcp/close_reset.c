/* uv_tcp_close_reset: the peer reads UV_ECONNRESET; queued requests are cancelled as by uv_close.
 * */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t tcp, other;
static uv_shutdown_t shutdown_;
static uv_write_t write_;
static char data[4 << 20];

static void on_close(uv_handle_t *handle) { print_stream_state("  closed", handle); }
static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    print("  shutdown %s", code(status));
}
static void on_write(uv_write_t *request, int status) {
    (void)request;
    print("  write %s", code(status));
}
static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream, (void)buffer;
    print("  read %s", length_or_code(count));
}

static void connect_pair(void) {
    int ends[2];
    tcp_sockets(ends);
    uv_tcp_init(&loop, &tcp);
    uv_tcp_init(&loop, &other);
    uv_tcp_open(&tcp, ends[0]);
    uv_tcp_open(&other, ends[1]);
}

static void close_pair(void) {
    if (!uv_is_closing(HANDLE(&other))) uv_close(HANDLE(&other), NULL);
    if (!uv_is_closing(HANDLE(&tcp))) uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

static void run_nowait(int times) {
    while (times-- > 0) uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    uv_buf_t whole = uv_buf_init(data, sizeof data);
    uv_loop_init(&loop);

    print("plain");
    connect_pair();
    uv_read_start(STREAM(&other), on_alloc, on_read);
    print("  reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
    run_nowait(3);
    close_pair();

    print("with a write queued");
    connect_pair();
    print("  write %s", code(uv_write(&write_, STREAM(&tcp), &whole, 1, on_write)));
    print("  reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
    run_nowait(3);
    close_pair();

    print("while shutting down");
    connect_pair();
    uv_read_start(STREAM(&other), on_alloc, on_read);
    print("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&tcp), on_shutdown)));
    print("  reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
    print_stream_state("  state", &tcp);
    run_nowait(3);
    print("  reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
    run_nowait(3);
    close_pair();

    print("without a socket");
    uv_tcp_init(&loop, &tcp);
    uv_tcp_init(&loop, &other);
    print("  reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
    print_stream_state("  state", &tcp);
    close_pair();
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
