/* Many small writes: each callback runs once, in order, with the correct write queue size. */
#include "net.h"

enum { WRITES = 5000 };

static uv_loop_t loop;
static uv_pipe_t writer, reader;
static uv_write_t writes[WRITES];
static uint32_t numbers[WRITES];
static int callbacks, next;
static size_t total, received;
static unsigned char pending[4];

static void on_write(uv_write_t *request, int status) {
    assert(status == 0);
    assert(request == &writes[callbacks]);
    callbacks++;
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count < 0) {
        print("read %s after %zu bytes, number %d", code(count), received, next);
        uv_close(HANDLE(stream), NULL);
        return;
    }
    for (ssize_t i = 0; i < count; i++) {
        pending[received++ % 4] = buffer->base[i];
        if (received % 4 == 0) {
            uint32_t number;
            memcpy(&number, pending, 4);
            assert((int)number == next);
            next++;
        }
    }
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    print("shutdown %s after %d writes, queue %zu", code(status), callbacks,
          request->handle->write_queue_size);
    uv_close(HANDLE(request->handle), NULL);
}

int main(void) {
    uv_shutdown_t shutdown_request;
    int ends[2];
    uv_loop_init(&loop);
    local_sockets(ends);
    uv_pipe_init(&loop, &writer, 0);
    uv_pipe_init(&loop, &reader, 0);
    uv_pipe_open(&writer, ends[0]);
    uv_pipe_open(&reader, ends[1]);
    size_t before = 0;
    for (int i = 0; i < WRITES; i++) {
        numbers[i] = i;
        uv_buf_t parts[] = {uv_buf_init((char *)&numbers[i], 1), uv_buf_init("", 0),
                            uv_buf_init((char *)&numbers[i] + 1, 3)};
        assert(uv_write(&writes[i], STREAM(&writer), parts, 3, on_write) == 0);
        total += 4;
        size_t queue = uv_stream_get_write_queue_size(STREAM(&writer));
        assert(queue == 0 || queue == before + 4);
        before = queue;
    }
    print("callbacks %d", callbacks);
    print("shutdown %s", code(uv_shutdown(&shutdown_request, STREAM(&writer), on_shutdown)));
    uv_read_start(STREAM(&reader), on_alloc, on_read);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("callbacks %d for %zu bytes", callbacks, total);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
