/* UV_RUN_ONCE continues to wait after events that no handle is interested in, and for distant
 * timers. */
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"

static char memory[64];
static int fired;

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    (void)size;
    *buffer = uv_buf_init(memory, sizeof(memory));
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer) {
    (void)stream;
    (void)buffer;
    print("read %d", (int)size);
}

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    fired++;
}

int main(void) {
    enum { MANY = 300 };
    uv_loop_t loop;
    uv_pipe_t pipe;
    uv_timer_t timer, many[MANY];
    int fds[2], i;

    uv_loop_init(&loop);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
    uv_pipe_init(&loop, &pipe, 0);
    uv_pipe_open(&pipe, fds[0]);
    uv_read_start((uv_stream_t *)&pipe, on_alloc, on_read);
    print("run: %d", uv_run(&loop, UV_RUN_NOWAIT));
    uv_read_stop((uv_stream_t *)&pipe);
    assert(write(fds[1], "hello", 5) == 5);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 10, 0);
    print("run: %d", uv_run(&loop, UV_RUN_ONCE));
    print("fired: %d", fired);

    uv_read_start((uv_stream_t *)&pipe, on_alloc, on_read);
    print("run: %d", uv_run(&loop, UV_RUN_ONCE));
    close(fds[1]);
    print("run: %d", uv_run(&loop, UV_RUN_ONCE));
    uv_timer_start(&timer, on_timer, 10, 0);
    print("run: %d", uv_run(&loop, UV_RUN_ONCE));
    print("fired: %d", fired);

    /* All timers but the last one are stopped. */
    for (i = 0; i < MANY; i++) {
        uv_timer_init(&loop, &many[i]);
        uv_timer_start(&many[i], on_timer, 65 + i / 8, 0);
    }
    for (i = 0; i < MANY - 1; i++)
        uv_timer_stop(&many[i]);
    print("run: %d", uv_run(&loop, UV_RUN_ONCE));
    print("fired: %d", fired);

    uv_close((uv_handle_t *)&pipe, NULL);
    uv_close((uv_handle_t *)&timer, NULL);
    for (i = 0; i < MANY; i++)
        uv_close((uv_handle_t *)&many[i], NULL);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close: %d", uv_loop_close(&loop));
    return 0;
}
