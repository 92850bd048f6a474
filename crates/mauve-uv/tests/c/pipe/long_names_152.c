/* needs: 1.52 */
/* Names that are too long are truncated to 108 bytes. No byte beyond the buffer is written. */
#include "net.h"

static uv_loop_t loop;

static void on_connect(uv_connect_t *request, int status) {
    (void)request;
    record_event(status == 0 ? "connect" : uv_err_name(status));
}

static void on_connection(uv_stream_t *stream, int status) {
    record_event(status == 0 ? "connection" : uv_err_name(status));
    uv_close(HANDLE(stream), NULL);
}

int main(void) {
    static const int lengths[] = {100, 106, 107, 108, 109, 110, 200, 4000};
    char directory[] = "/tmp/pipe-long-XXXXXX";
    uv_loop_init(&loop);
    assert(mkdtemp(directory) != NULL);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        uv_pipe_t server, client;
        uv_connect_t connect;
        char path[5000], name[5000];
        size_t size = sizeof name, fits = lengths[i] < 108 ? lengths[i] : 108;
        memset(path, 'x', sizeof path);
        memcpy(path, directory, strlen(directory));
        path[strlen(directory)] = '/';
        path[lengths[i]] = 0;
        uv_pipe_init(&loop, &server, 0);
        uv_pipe_init(&loop, &client, 0);
        EXPECT(uv_pipe_bind(&server, path), 0);
        EXPECT(uv_pipe_getsockname(&server, name, &size), 0);
        EXPECT(size, fits);
        EXPECT(name[size], 0);
        EXPECT(memcmp(name, path, size), 0);
        for (size_t capacity = 90; capacity <= 111; capacity++) {
            memset(name, 0x55, sizeof name);
            size = capacity;
            EXPECT(uv_pipe_getsockname(&server, name, &size), capacity > fits ? 0 : UV_ENOBUFS);
            EXPECT(size, capacity > fits ? fits : fits + 1);
            EXPECT(name[capacity], 0x55);
        }
        EXPECT(uv_listen(STREAM(&server), 1, on_connection), 0);
        uv_pipe_connect(&connect, &client, path, on_connect);
        for (int n = 0; n < 3; n++) uv_run(&loop, UV_RUN_NOWAIT);
        EXPECT_EVENTS("connection connect ");
        uv_walk(&loop, close_walked, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    /* Every socket was removed, also those with a truncated name. */
    EXPECT(rmdir(directory), 0);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
