/* A stream is closed, and its memory freed in the close callback, inside every kind of callback. */
#include "net.h"

enum { CONNECTION, CONNECT, READ, READ_END, WRITE, SHUTDOWN, PLANS };
static const char *const names[] = {"connection", "connect", "read",
                                    "read end",   "write",   "shutdown"};

static uv_loop_t loop;
static uv_tcp_t *server, *client, *peer;
static uv_write_t writes[3];
static uv_shutdown_t shutdown_;
static uv_connect_t connect_;
static int plan;

static void on_close(uv_handle_t *handle) {
    uv_tcp_t **variable = handle == HANDLE(server)   ? &server
                          : handle == HANDLE(client) ? &client
                                                     : &peer;
    say("  closed %s", variable == &server ? "server" : variable == &client ? "client" : "peer");
    *variable = NULL;
    memset(handle, 0xa5, sizeof(uv_tcp_t));
    free(handle);
}

static void shut(void *handle) {
    if (handle != NULL && !uv_is_closing(handle)) uv_close(handle, on_close);
}

/* Everything at once, from this callback. */
static int here(int kind) {
    if (plan != kind) return 0;
    say("  closing inside %s", names[kind]);
    shut(client);
    shut(peer);
    shut(server);
    return 1;
}

static void on_write(uv_write_t *request, int status) {
    say("  write %d %s", (int)(request - writes), code(status));
    here(WRITE);
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    say("  shutdown %s", code(status));
    here(SHUTDOWN);
}

static void on_client_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    (void)stream;
    say("  read %s", length_or_code(count));
    if (count < 0 && here(READ_END)) return;
    if (count > 0) here(READ);
}

static void on_connection(uv_stream_t *stream, int status) {
    uv_buf_t hello = uv_buf_init("hello", 5);
    say("  connection %s", code(status));
    peer = malloc(sizeof *peer);
    uv_tcp_init(&loop, peer);
    uv_accept(stream, STREAM(peer));
    if (here(CONNECTION)) return;
    assert(uv_write(&writes[0], STREAM(peer), &hello, 1, on_write) == 0);
    assert(uv_write(&writes[1], STREAM(peer), &hello, 1, on_write) == 0);
    assert(uv_shutdown(&shutdown_, STREAM(peer), on_shutdown) == 0);
}

static void on_connect(uv_connect_t *request, int status) {
    say("  connect %s", code(status));
    if (here(CONNECT)) return;
    say("  read_start %s", code(uv_read_start(request->handle, on_alloc, on_client_read)));
}

int main(void) {
    for (plan = 0; plan < PLANS; plan++) {
        say("%s", names[plan]);
        peer = NULL;
        uv_loop_init(&loop);
        server = malloc(sizeof *server);
        client = malloc(sizeof *client);
        struct sockaddr_in address = serve(&loop, server, on_connection);
        uv_tcp_init(&loop, client);
        uv_tcp_connect(&connect_, client, SOCKADDR(&address), on_connect);
        say("  run %d", uv_run(&loop, UV_RUN_DEFAULT));
        say("  close %s", code(uv_loop_close(&loop)));
    }
    return 0;
}
