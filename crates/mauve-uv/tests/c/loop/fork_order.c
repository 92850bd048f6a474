/* After uv_loop_fork, descriptors are registered in the order of their numbers, and so reported in that
 * order if all are ready. */
#include "net.h"

#include <sys/wait.h>

enum { PAIRS = 5 };

static uv_poll_t polls[PAIRS];
static int peers[PAIRS];

static void on_poll(uv_poll_t *handle, int status, int events) {
    print("poll %d: %s %d", (int)(handle - polls), code(status), events);
    uv_poll_stop(handle);
}

int main(void) {
    static const int order[PAIRS] = {3, 0, 4, 2, 1};
    uv_loop_t loop;
    int descriptors[PAIRS], status;

    uv_loop_init(&loop);
    for (int i = 0; i < PAIRS; i++) {
        int ends[2];
        local_sockets(ends);
        descriptors[i] = ends[0];
        peers[i] = ends[1];
    }
    for (int i = 0; i < PAIRS; i++) {
        uv_poll_init(&loop, &polls[order[i]], descriptors[order[i]]);
        uv_poll_start(&polls[order[i]], UV_READABLE, on_poll);
    }
    uv_run(&loop, UV_RUN_NOWAIT);
    pid_t child = fork();
    if (child == 0) {
        print("fork: %s", code(uv_loop_fork(&loop)));
        for (int i = 0; i < PAIRS; i++) assert(write(peers[i], "x", 1) == 1);
        print("run: %d", uv_run(&loop, UV_RUN_NOWAIT));
        print("close: %s", code(close_loop(&loop)));
        _exit(0);
    }
    waitpid(child, &status, 0);
    print("exit: %d", WEXITSTATUS(status));
    print("close: %s", code(close_loop(&loop)));
    return 0;
}
