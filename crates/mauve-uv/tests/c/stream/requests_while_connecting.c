/* Reading, writing and shutting down before the connection is established. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, client, peer;
static uv_connect_t connect_;
static uv_write_t writes[3];
static uv_shutdown_t shutdown_;
static int case_;

static void on_write(uv_write_t *request, int status) {
    print("  write %d %s", (int)(request - writes), code(status));
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    print("  shutdown %s", code(status));
}

static void on_client_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("  client read %s", length_or_code(count));
    if (count < 0) uv_close(HANDLE(stream), NULL);
}

static void on_peer_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    print("  peer read %s %.*s", length_or_code(count), count > 0 ? (int)count : 0, buffer->base);
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
    print("  connect %s", code(status));
    print_stream_state("  connected", request->handle);
    if (case_ == 1) {
        print("  shutdown %s", code(uv_shutdown(&shutdown_, request->handle, on_shutdown)));
    }
}

int main(void) {
    for (case_ = 0; case_ < 2; case_++) {
        uv_buf_t buffers[] = {uv_buf_init("one ", 4), uv_buf_init("two ", 4), uv_buf_init("", 0)};
        print("case %d", case_);
        uv_loop_init(&loop);
        struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
        uv_tcp_init(&loop, &client);
        print("  read_start %s", code(uv_read_start(STREAM(&client), on_alloc, on_client_read)));
        print("  write %s", code(uv_write(&writes[0], STREAM(&client), buffers, 1, on_write)));
        print("  try_write %s", code(uv_try_write(STREAM(&client), buffers, 1)));
        uv_tcp_connect(&connect_, &client, SOCKADDR(&address), on_connect);
        print("  read_start %s", code(uv_read_start(STREAM(&client), on_alloc, on_client_read)));
        for (int i = 0; i < 3; i++) {
            print("  write %s",
                  code(uv_write(&writes[i], STREAM(&client), &buffers[i], 1, on_write)));
        }
        print("  try_write %s", code(uv_try_write(STREAM(&client), buffers, 1)));
        print_stream_state("  connecting", &client);
        if (case_ != 1) {
            print("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&client), on_shutdown)));
        }
        uv_run(&loop, UV_RUN_DEFAULT);
        print("  close %s", code(uv_loop_close(&loop)));
    }
    return 0;
}
