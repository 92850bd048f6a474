/* Reading, writing and shutting down before the connection is made. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, client, peer;
static uv_connect_t connect_;
static uv_write_t writes[3];
static uv_shutdown_t shutdown_;
static int plan;

static void on_write(uv_write_t *request, int status) {
    say("  write %d %s", (int)(request - writes), code(status));
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    say("  shutdown %s", code(status));
}

static void on_client_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    say("  client read %s", length_or_code(count));
    if (count < 0) uv_close(HANDLE(stream), NULL);
}

static void on_peer_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    say("  peer read %s %.*s", length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
    if (count == UV_EOF) {
        uv_close(HANDLE(stream), NULL);
        uv_close(HANDLE(&server), NULL);
    }
}

static void on_connection(uv_stream_t *stream, int status) {
    (void)status;
    uv_tcp_init(&loop, &peer);
    uv_accept(stream, STREAM(&peer));
    uv_read_start(STREAM(&peer), on_alloc, on_peer_read);
}

static void on_connect(uv_connect_t *request, int status) {
    say("  connect %s", code(status));
    state("  connected", request->handle);
    if (plan == 1) {
        say("  shutdown %s", code(uv_shutdown(&shutdown_, request->handle, on_shutdown)));
    }
}

int main(void) {
    for (plan = 0; plan < 2; plan++) {
        uv_buf_t words[] = {uv_buf_init("one ", 4), uv_buf_init("two ", 4), uv_buf_init("", 0)};
        say("plan %d", plan);
        uv_loop_init(&loop);
        struct sockaddr_in address = serve(&loop, &server, on_connection);
        uv_tcp_init(&loop, &client);
        say("  read_start %s", code(uv_read_start(STREAM(&client), on_alloc, on_client_read)));
        say("  write %s", code(uv_write(&writes[0], STREAM(&client), words, 1, on_write)));
        say("  try_write %s", code(uv_try_write(STREAM(&client), words, 1)));
        uv_tcp_connect(&connect_, &client, SOCKADDR(&address), on_connect);
        say("  read_start %s", code(uv_read_start(STREAM(&client), on_alloc, on_client_read)));
        for (int i = 0; i < 3; i++) {
            say("  write %s", code(uv_write(&writes[i], STREAM(&client), &words[i], 1, on_write)));
        }
        say("  try_write %s", code(uv_try_write(STREAM(&client), words, 1)));
        state("  connecting", &client);
        if (plan != 1) {
            say("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&client), on_shutdown)));
        }
        uv_run(&loop, UV_RUN_DEFAULT);
        say("  close %s", code(uv_loop_close(&loop)));
    }
    return 0;
}
