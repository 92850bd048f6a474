/* uv_tcp_connect: refused connections with pending requests, invalid addresses, two connects. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t tcp;
static uv_connect_t connects[2];
static uv_write_t writes[2];
static uv_shutdown_t shutdown_;

static void on_write(uv_write_t *request, int status) {
    print("  write %d %s", (int)(request - writes), code(status));
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    print("  shutdown %s", code(status));
}

static void on_connect(uv_connect_t *request, int status) {
    print("  connect %d %s", (int)(request - connects), code(status));
    print_stream_state("  ", request->handle);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("  read %s", length_or_code(count));
    print_stream_state("  ", stream);
    uv_read_stop(stream);
}

static int connect_to(const struct sockaddr_in *address, int which) {
    return uv_tcp_connect(&connects[which], &tcp, SOCKADDR(address), on_connect);
}

int main(void) {
    struct sockaddr_in unused = unused_address();
    uv_buf_t buffer = uv_buf_init("x", 1);
    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&loop);

    print("refused");
    uv_tcp_init(&loop, &tcp);
    print_stream_state("  initialised", &tcp);
    print("  connect %s", code(connect_to(&unused, 0)));
    print_stream_state("  connecting", &tcp);
    print("  twice %s", code(connect_to(&unused, 1)));
    uv_run(&loop, UV_RUN_DEFAULT);
    print_stream_state("  refused", &tcp);
    print("  again %s", code(connect_to(&unused, 1)));
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  write %s", code(uv_write(&writes[0], STREAM(&tcp), &buffer, 1, NULL)));
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    print("refused while writing");
    uv_tcp_init(&loop, &tcp);
    connect_to(&unused, 0);
    print("  write %s", code(uv_write(&writes[0], STREAM(&tcp), &buffer, 1, on_write)));
    print("  write %s", code(uv_write(&writes[1], STREAM(&tcp), &buffer, 1, on_write)));
    print("  try_write %s", code(uv_try_write(STREAM(&tcp), &buffer, 1)));
    uv_run(&loop, UV_RUN_DEFAULT);
    print_stream_state("  after", &tcp);
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    print("refused while reading");
    uv_tcp_init(&loop, &tcp);
    connect_to(&unused, 0);
    print("  read_start %s", code(uv_read_start(STREAM(&tcp), on_alloc, on_read)));
    print_stream_state("  reading", &tcp);
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    print_stream_state("  after", &tcp);
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    print("refused while shutting down");
    uv_tcp_init(&loop, &tcp);
    connect_to(&unused, 0);
    print("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&tcp), on_shutdown)));
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    print_stream_state("  after", &tcp);
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    print("refused while writing and shutting down");
    uv_tcp_init(&loop, &tcp);
    connect_to(&unused, 0);
    print("  write %s", code(uv_write(&writes[0], STREAM(&tcp), &buffer, 1, on_write)));
    print("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&tcp), on_shutdown)));
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    print_stream_state("  after", &tcp);
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    print("bad arguments");
    uv_tcp_init(&loop, &tcp);
    struct sockaddr_in invalid = unused;
    invalid.sin_family = AF_UNIX;
    print("  family %s", code(connect_to(&invalid, 0)));
    invalid.sin_family = 1234;
    print("  family %s", code(connect_to(&invalid, 0)));
    print_stream_state("  after", &tcp);
    struct sockaddr_in broadcast = unused;
    broadcast.sin_addr.s_addr = 0xffffffff;
    print("  broadcast %s", code(connect_to(&broadcast, 0)));
    print_stream_state("  after", &tcp);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
