/* needs: 1.53 */
/* Reading the master of a pseudo terminal whose other side is closed: a TTY handle reads its rest and
 * fails with UV_EIO, a pipe handle ends. */
#include "net.h"

#include <pty.h>

static char memory[16];
static size_t size;

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
    (void)handle, (void)suggested;
    *buffer = uv_buf_init(memory, size);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    printf(" %s%s", length_or_code(count), buffer->base ? "" : " without buffer");
    if (count < 0) {
        printf(" (active %d, readable %d, writable %d)", uv_is_active(HANDLE(stream)),
               uv_is_readable(stream), uv_is_writable(stream));
    }
}

static void check(int as_tty, size_t data) {
    union {
        uv_tty_t tty;
        uv_pipe_t pipe;
        uv_stream_t stream;
    } handle;
    uv_loop_t loop;
    int master, slave;

    uv_loop_init(&loop);
    assert(openpty(&master, &slave, NULL, NULL, NULL) == 0);
    if (data) assert(write(slave, "hello world", data) == (ssize_t)data);
    close(slave);
    if (as_tty) {
        EXPECT(uv_tty_init(&loop, &handle.tty, master, 0), 0);
    } else {
        uv_pipe_init(&loop, &handle.pipe, 0);
        EXPECT(uv_pipe_open(&handle.pipe, master), 0);
    }
    printf("%s, %zu bytes, buffers of %zu:", as_tty ? "tty" : "pipe", data, size);
    EXPECT(uv_read_start(&handle.stream, give_buffer, on_read), 0);
    for (int i = 0; i < 4; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        printf(" |");
    }
    printf(" again %s:", code(uv_read_start(&handle.stream, give_buffer, on_read)));
    for (int i = 0; i < 2; i++) uv_run(&loop, UV_RUN_NOWAIT);
    print("");
    EXPECT(close_loop(&loop), 0);
}

int main(void) {
    static const size_t SIZES[] = {16, 5};
    for (size_t i = 0; i < COUNT(SIZES); i++) {
        size = SIZES[i];
        for (int as_tty = 0; as_tty < 2; as_tty++) {
            for (size_t data = 0; data <= 10; data += 5) check(as_tty, data);
        }
    }
    return 0;
}
