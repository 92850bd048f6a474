/* env: MAUVE_SELECTOR=epoll */
/* A poll handle that is started again is the last of those that are ready. */
#include "test.h"

#include <sys/socket.h>

static uv_poll_t polls[3];
static int turns;

static void on_poll(uv_poll_t *poll, int status, int events) {
    int which = (int)(poll - polls);
    print("%d: %s, events %d", which, code(status), events);
    /* Once with the same events, once with others, once after a stop. */
    if (turns++ % 3 == 0 && turns < 12) {
        if (turns > 6) uv_poll_stop(poll);
        int more = turns > 3 ? UV_READABLE : 0;
        print("start %d: %s", which, code(uv_poll_start(poll, UV_WRITABLE | more, on_poll)));
    }
    if (turns >= 12) uv_poll_stop(poll);
}

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    for (int i = 0; i < 3; i++) {
        int fds[2];
        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
        assert(uv_poll_init(&loop, &polls[i], fds[0]) == 0);
        uv_poll_start(&polls[i], UV_WRITABLE, on_poll);
    }
    /* The first becomes the last. */
    uv_poll_stop(&polls[0]);
    uv_poll_start(&polls[0], UV_WRITABLE, on_poll);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("end: %s", code(close_loop(&loop)));
    return 0;
}
