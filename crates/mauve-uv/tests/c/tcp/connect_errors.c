/* Connecting where nobody listens, in the wrong way, or twice. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t tcp;
static uv_connect_t connects[2];
static uv_write_t writes[2];
static uv_shutdown_t shutdown_;

static void on_write(uv_write_t *request, int status) {
    say("  write %d %s", (int)(request - writes), code(status));
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    say("  shutdown %s", code(status));
}

static void on_connect(uv_connect_t *request, int status) {
    say("  connect %d %s", (int)(request - connects), code(status));
    state("  ", request->handle);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    say("  read %s", length_or_code(count));
    state("  ", stream);
    uv_read_stop(stream);
}

static int go(const struct sockaddr_in *address, int which) {
    return uv_tcp_connect(&connects[which], &tcp, SOCKADDR(address), on_connect);
}

int main(void) {
    struct sockaddr_in dead = nobody();
    uv_buf_t buffer = uv_buf_init("x", 1);
    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&loop);

    say("refused");
    uv_tcp_init(&loop, &tcp);
    state("  fresh", &tcp);
    say("  connect %s", code(go(&dead, 0)));
    state("  connecting", &tcp);
    say("  twice %s", code(go(&dead, 1)));
    uv_run(&loop, UV_RUN_DEFAULT);
    state("  refused", &tcp);
    say("  again %s", code(go(&dead, 1)));
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  write %s", code(uv_write(&writes[0], STREAM(&tcp), &buffer, 1, NULL)));
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    say("refused while writing");
    uv_tcp_init(&loop, &tcp);
    go(&dead, 0);
    say("  write %s", code(uv_write(&writes[0], STREAM(&tcp), &buffer, 1, on_write)));
    say("  write %s", code(uv_write(&writes[1], STREAM(&tcp), &buffer, 1, on_write)));
    say("  try_write %s", code(uv_try_write(STREAM(&tcp), &buffer, 1)));
    uv_run(&loop, UV_RUN_DEFAULT);
    state("  after", &tcp);
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    say("refused while reading");
    uv_tcp_init(&loop, &tcp);
    go(&dead, 0);
    say("  read_start %s", code(uv_read_start(STREAM(&tcp), on_alloc, on_read)));
    state("  reading", &tcp);
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    state("  after", &tcp);
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    say("refused while shutting down");
    uv_tcp_init(&loop, &tcp);
    go(&dead, 0);
    say("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&tcp), on_shutdown)));
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    state("  after", &tcp);
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    say("refused while writing and shutting down");
    uv_tcp_init(&loop, &tcp);
    go(&dead, 0);
    say("  write %s", code(uv_write(&writes[0], STREAM(&tcp), &buffer, 1, on_write)));
    say("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&tcp), on_shutdown)));
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    state("  after", &tcp);
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    say("bad arguments");
    uv_tcp_init(&loop, &tcp);
    struct sockaddr_in odd = dead;
    odd.sin_family = AF_UNIX;
    say("  family %s", code(go(&odd, 0)));
    odd.sin_family = 1234;
    say("  family %s", code(go(&odd, 0)));
    state("  after", &tcp);
    struct sockaddr_in everybody = dead;
    everybody.sin_addr.s_addr = 0xffffffff;
    say("  broadcast %s", code(go(&everybody, 0)));
    state("  after", &tcp);
    say("finish %s", code(finish(&loop)));
    return 0;
}
