/* A stream is closed in a callback of every kind, and freed in its close callback. */
#include "net.h"

enum { CONNECTION, CONNECT, READ, READ_END, WRITE, SHUTDOWN, KINDS };
static const char *const names[] = {"connection", "connect", "read",
                                    "read end",   "write",   "shutdown"};

static uv_loop_t loop;
static uv_tcp_t *server, *client, *peer;
static uv_write_t writes[3];
static uv_shutdown_t shutdown_;
static uv_connect_t connect_;
static int chosen;

static void on_close(uv_handle_t *handle) {
    uv_tcp_t **variable = handle == HANDLE(server)   ? &server
                          : handle == HANDLE(client) ? &client
                                                     : &peer;
    print("  closed %s", variable == &server ? "server" : variable == &client ? "client" : "peer");
    *variable = NULL;
    memset(handle, 0xa5, sizeof(uv_tcp_t));
    free(handle);
}

static void close_if_open(void *handle) {
    if (handle != NULL && !uv_is_closing(handle)) uv_close(handle, on_close);
}

/* Closes all handles if this is the chosen callback. */
static int close_all_if_chosen(int kind) {
    if (chosen != kind) return 0;
    print("  closing inside %s", names[kind]);
    close_if_open(client);
    close_if_open(peer);
    close_if_open(server);
    return 1;
}

static void on_write(uv_write_t *request, int status) {
    print("  write %d %s", (int)(request - writes), code(status));
    close_all_if_chosen(WRITE);
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    print("  shutdown %s", code(status));
    close_all_if_chosen(SHUTDOWN);
}

static void on_client_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    (void)stream;
    print("  read %s", length_or_code(count));
    if (count < 0 && close_all_if_chosen(READ_END)) return;
    if (count > 0) close_all_if_chosen(READ);
}

static void on_connection(uv_stream_t *stream, int status) {
    uv_buf_t hello = uv_buf_init("hello", 5);
    print("  connection %s", code(status));
    peer = malloc(sizeof *peer);
    uv_tcp_init(&loop, peer);
    uv_accept(stream, STREAM(peer));
    if (close_all_if_chosen(CONNECTION)) return;
    assert(uv_write(&writes[0], STREAM(peer), &hello, 1, on_write) == 0);
    assert(uv_write(&writes[1], STREAM(peer), &hello, 1, on_write) == 0);
    assert(uv_shutdown(&shutdown_, STREAM(peer), on_shutdown) == 0);
}

static void on_connect(uv_connect_t *request, int status) {
    print("  connect %s", code(status));
    if (close_all_if_chosen(CONNECT)) return;
    print("  read_start %s", code(uv_read_start(request->handle, on_alloc, on_client_read)));
}

int main(void) {
    for (chosen = 0; chosen < KINDS; chosen++) {
        print("%s", names[chosen]);
        peer = NULL;
        uv_loop_init(&loop);
        server = malloc(sizeof *server);
        client = malloc(sizeof *client);
        struct sockaddr_in address = listen_on_loopback(&loop, server, on_connection);
        uv_tcp_init(&loop, client);
        uv_tcp_connect(&connect_, client, SOCKADDR(&address), on_connect);
        print("  run %d", uv_run(&loop, UV_RUN_DEFAULT));
        print("  close %s", code(uv_loop_close(&loop)));
    }
    return 0;
}
