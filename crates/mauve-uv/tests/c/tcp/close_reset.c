/* uv_tcp_close_reset: the peer sees a reset, and closing is otherwise as usual. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t tcp, other;
static uv_shutdown_t shutdown_;
static uv_write_t write_;
static char data[4 << 20];

static void on_close(uv_handle_t *handle) { state("  closed", handle); }
static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    say("  shutdown %s", code(status));
}
static void on_write(uv_write_t *request, int status) {
    (void)request;
    say("  write %s", code(status));
}
static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream, (void)buffer;
    say("  read %s", length_or_code(count));
}

static void connected(void) {
    int ends[2];
    tcp_sockets(ends);
    uv_tcp_init(&loop, &tcp);
    uv_tcp_init(&loop, &other);
    uv_tcp_open(&tcp, ends[0]);
    uv_tcp_open(&other, ends[1]);
}

static void end(void) {
    if (!uv_is_closing(HANDLE(&other))) uv_close(HANDLE(&other), NULL);
    if (!uv_is_closing(HANDLE(&tcp))) uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

static void turn(int times) {
    while (times-- > 0) uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    uv_buf_t whole = uv_buf_init(data, sizeof data);
    uv_loop_init(&loop);

    say("plain");
    connected();
    uv_read_start(STREAM(&other), on_alloc, on_read);
    say("  reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
    turn(3);
    end();

    say("with a write queued");
    connected();
    say("  write %s", code(uv_write(&write_, STREAM(&tcp), &whole, 1, on_write)));
    say("  reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
    turn(3);
    end();

    say("while shutting down");
    connected();
    uv_read_start(STREAM(&other), on_alloc, on_read);
    say("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&tcp), on_shutdown)));
    say("  reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
    state("  state", &tcp);
    turn(3);
    say("  reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
    turn(3);
    end();

    say("without a socket");
    uv_tcp_init(&loop, &tcp);
    uv_tcp_init(&loop, &other);
    say("  reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
    state("  state", &tcp);
    end();
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
