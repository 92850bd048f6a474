/* The backend descriptor becomes readable when the loop has something to do. */
#include "say.h"

#include <fcntl.h>
#include <poll.h>

static void on_poll(uv_poll_t *poll, int status, int events) {
    char byte;
    say("poll %s %d", code(status), events);
    assert(read(*(int *)poll->data, &byte, 1) == 1);
}

static void on_async(uv_async_t *async) {
    (void)async;
    say("async");
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
    say("a descriptor: %d", uv_backend_fd(&loop) >= 0);
    say("close-on-exec: %d", fcntl(uv_backend_fd(&loop), F_GETFD) & FD_CLOEXEC);
    uv_poll_init(&loop, &poller, ends[0]);
    poller.data = &ends[0];
    uv_poll_start(&poller, UV_READABLE, on_poll);
    uv_async_init(&loop, &async, on_async);
    uv_run(&loop, UV_RUN_NOWAIT);
    say("nothing: %d", readable(&loop));
    assert(write(ends[1], "x", 1) == 1);
    say("data: %d", readable(&loop));
    uv_run(&loop, UV_RUN_NOWAIT);
    say("read: %d", readable(&loop));
    uv_async_send(&async);
    say("async: %d", readable(&loop));
    uv_run(&loop, UV_RUN_NOWAIT);
    say("called: %d", readable(&loop));
    say("close %s", code(finish(&loop)));
    return 0;
}
