/* More ready descriptors than one epoll_wait returns: all are reported in one iteration. */
#include "test.h"

#include <sys/resource.h>

enum { PIPES = 400 };

static uv_poll_t polls[PIPES];
static int calls;

static void on_poll(uv_poll_t *poll, int status, int events) {
    if (status != 0 || events != UV_READABLE) print("%s %d", code(status), events);
    calls++;
    uv_poll_stop(poll);
}

int main(void) {
    struct rlimit limit;
    uv_loop_t loop;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    uv_loop_init(&loop);
    for (int i = 0; i < PIPES; i++) {
        int ends[2];
        assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
        uv_poll_init(&loop, &polls[i], ends[0]);
        uv_poll_start(&polls[i], UV_READABLE, on_poll);
    }
    print("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("calls %d", calls);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
