/* needs: mauve */
/* After a warm-up an echo allocates nothing, whether its writes are sent at once or queued. */
#include "net.h"

#include "alloc_count.h"

enum { WARM_UP = 200, MESSAGES = 2000, QUEUED = 40 };

static uv_loop_t loop;
static uv_tcp_t server, client;
static uv_write_t requests[2], queued[QUEUED];
static char big[1 << 18];
static int rounds, completed;
static long before;

static void on_write(uv_write_t *request, int status) {
    (void)request;
    EXPECT(status, 0);
}

static void send_back(uv_stream_t *stream, uv_write_t *request, const uv_buf_t *bytes) {
    EXPECT(uv_write(request, stream, bytes, 1, on_write), 0);
}

static void on_server_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    uv_buf_t bytes = uv_buf_init(buffer->base, count);
    EXPECT(count, 100);
    send_back(stream, &requests[0], &bytes);
}

static void on_client_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    uv_buf_t bytes = uv_buf_init(buffer->base, count);
    EXPECT(count, 100);
    if (++rounds == WARM_UP) before = allocations;
    if (rounds == WARM_UP + MESSAGES) uv_stop(stream->loop);
    else send_back(stream, &requests[1], &bytes);
}

static void on_queued(uv_write_t *request, int status) {
    EXPECT(status, 0);
    EXPECT(request == &queued[completed], 1);
    completed++;
}

static void on_drain(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream, (void)buffer;
    EXPECT(count > 0, 1);
}

/* Queues many writes of several buffers, and lets the peer read them. */
static void fill_and_drain(void) {
    uv_buf_t parts[] = {uv_buf_init(big, sizeof big / 2), uv_buf_init(big, 1),
                        uv_buf_init(big, sizeof big / 2)};
    completed = 0;
    for (int i = 0; i < QUEUED; i++) {
        EXPECT(uv_write(&queued[i], STREAM(&client), parts, 3, on_queued), 0);
    }
    EXPECT(client.write_queue_size > 0, 1);
    while (completed < QUEUED) uv_run(&loop, UV_RUN_ONCE);
    for (int i = 0; i < 5; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    int ends[2];
    char hello[100] = "hello";
    uv_buf_t bytes = uv_buf_init(hello, sizeof hello);

    uv_loop_init(&loop);
    tcp_sockets(ends);
    uv_tcp_init(&loop, &server);
    uv_tcp_init(&loop, &client);
    uv_tcp_open(&server, ends[0]);
    uv_tcp_open(&client, ends[1]);
    uv_read_start(STREAM(&server), on_alloc, on_server_read);
    uv_read_start(STREAM(&client), on_alloc, on_client_read);
    send_back(STREAM(&client), &requests[1], &bytes);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(rounds, WARM_UP + MESSAGES);
    EXPECT(allocations - before, 0);

    uv_read_stop(STREAM(&server));
    uv_read_stop(STREAM(&client));
    EXPECT(uv_read_start(STREAM(&server), on_alloc, on_drain), 0);
    fill_and_drain();
    before = allocations;
    for (int i = 0; i < 20; i++) fill_and_drain();
    EXPECT(allocations - before, 0);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
