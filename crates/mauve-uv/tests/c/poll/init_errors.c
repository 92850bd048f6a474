/* uv_poll_init: which descriptors it accepts, and that it makes them non-blocking. */
#include "test.h"

#include <fcntl.h>

static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)poll;
    (void)status;
    (void)events;
}

int main(void) {
    uv_loop_t loop;
    uv_poll_t poll, second;
    int ends[2], file, closed;

    assert(pipe(ends) == 0);
    file = open("/proc/self/exe", O_RDONLY);
    uv_loop_init(&loop);
    closed = dup(ends[0]);
    close(closed);
    print("negative %s", code(uv_poll_init(&loop, &poll, -1)));
    print("closed %s", code(uv_poll_init(&loop, &poll, closed)));
    print("out of range %s", code(uv_poll_init(&loop, &poll, 100000)));
    print("regular file %s", code(uv_poll_init(&loop, &poll, file)));

    print("blocking before %d", (fcntl(ends[0], F_GETFL) & O_NONBLOCK) == 0);
    print("pipe %s", code(uv_poll_init(&loop, &poll, ends[0])));
    print("blocking after %d", (fcntl(ends[0], F_GETFL) & O_NONBLOCK) == 0);
    print("active %d", uv_is_active((uv_handle_t *)&poll));

    uv_poll_start(&poll, UV_READABLE, on_poll);
    print("second handle, started %s", code(uv_poll_init(&loop, &second, ends[0])));
    uv_run(&loop, UV_RUN_NOWAIT);
    print("second handle, registered %s", code(uv_poll_init(&loop, &second, ends[0])));
    uv_poll_stop(&poll);
    print("second handle, stopped %s", code(uv_poll_init(&loop, &second, ends[0])));
    print("start the second %s", code(uv_poll_start(&second, UV_READABLE, on_poll)));
    uv_poll_stop(&second);
    uv_close((uv_handle_t *)&poll, NULL);
    uv_close((uv_handle_t *)&second, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("the descriptor is still open %d", fcntl(ends[0], F_GETFD) >= 0);
    print("uv_poll_init_socket %s", code(uv_poll_init_socket(&loop, &poll, ends[0])));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
