/* Which descriptors uv_poll_init takes, and what it does to them. */
#include "say.h"

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
    say("negative %s", code(uv_poll_init(&loop, &poll, -1)));
    say("closed %s", code(uv_poll_init(&loop, &poll, closed)));
    say("far off %s", code(uv_poll_init(&loop, &poll, 100000)));
    say("regular file %s", code(uv_poll_init(&loop, &poll, file)));

    say("blocking before %d", (fcntl(ends[0], F_GETFL) & O_NONBLOCK) == 0);
    say("pipe %s", code(uv_poll_init(&loop, &poll, ends[0])));
    say("blocking after %d", (fcntl(ends[0], F_GETFL) & O_NONBLOCK) == 0);
    say("active %d", uv_is_active((uv_handle_t *)&poll));

    uv_poll_start(&poll, UV_READABLE, on_poll);
    say("again, watched %s", code(uv_poll_init(&loop, &second, ends[0])));
    uv_run(&loop, UV_RUN_NOWAIT);
    say("again, registered %s", code(uv_poll_init(&loop, &second, ends[0])));
    uv_poll_stop(&poll);
    say("again, stopped %s", code(uv_poll_init(&loop, &second, ends[0])));
    say("start the second %s", code(uv_poll_start(&second, UV_READABLE, on_poll)));
    uv_poll_stop(&second);
    uv_close((uv_handle_t *)&poll, NULL);
    uv_close((uv_handle_t *)&second, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("the descriptor is still open %d", fcntl(ends[0], F_GETFD) >= 0);
    say("socket form %s", code(uv_poll_init_socket(&loop, &poll, ends[0])));
    say("close %s", code(finish(&loop)));
    return 0;
}
