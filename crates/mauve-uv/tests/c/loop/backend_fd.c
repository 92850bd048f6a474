/* env: MAUVE_SELECTOR=epoll */
/* uv_backend_fd is readable when the loop has events to report. */
#include "test.h"

#include <fcntl.h>
#include <poll.h>

static void on_poll(uv_poll_t *poll, int status, int events) {
    char byte;
    print("poll %s %d", code(status), events);
    assert(read(*(int *)poll->data, &byte, 1) == 1);
}

static void on_async(uv_async_t *async) {
    (void)async;
    print("async");
}

static int readable(uv_loop_t *loop) {
    struct pollfd outer = {.fd = uv_backend_fd(loop), .events = POLLIN};
    return poll(&outer, 1, 0);
}

int main(void) {
    uv_loop_t loop;
    uv_poll_t poller;
    uv_async_t async;
    int ends[2];

    assert(pipe(ends) == 0);
    uv_loop_init(&loop);
    print("a descriptor: %d", uv_backend_fd(&loop) >= 0);
    print("close-on-exec: %d", fcntl(uv_backend_fd(&loop), F_GETFD) & FD_CLOEXEC);
    uv_poll_init(&loop, &poller, ends[0]);
    poller.data = &ends[0];
    uv_poll_start(&poller, UV_READABLE, on_poll);
    uv_async_init(&loop, &async, on_async);
    uv_run(&loop, UV_RUN_NOWAIT);
    print("nothing: %d", readable(&loop));
    assert(write(ends[1], "x", 1) == 1);
    print("data: %d", readable(&loop));
    uv_run(&loop, UV_RUN_NOWAIT);
    print("read: %d", readable(&loop));
    uv_async_send(&async);
    print("async: %d", readable(&loop));
    uv_run(&loop, UV_RUN_NOWAIT);
    print("called: %d", readable(&loop));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
