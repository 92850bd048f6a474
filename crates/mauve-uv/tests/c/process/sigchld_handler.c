/* needs: mauve */
/* env: MAUVE_SELECTOR=epoll MAUVE_CHILD_EXIT=pidfd */
/* A SIGCHLD handler of the program stays installed, and may reap the children itself. */
#include "child.h"

#include <sys/wait.h>

static int signals, status_seen;

static void on_sigchld(int number) {
    (void)number;
    signals++;
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
}

static void on_status(uv_process_t *process, int64_t status, int number) {
    (void)process;
    (void)number;
    status_seen = (int)status;
}

int main(void) {
    struct sigaction action;

    prepare_child();
    signal(SIGCHLD, on_sigchld);
    options.exit_cb = on_status;
    shell[2] = "exit 9";
    EXPECT(uv_spawn(&loop, &child, &options), 0);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    sigaction(SIGCHLD, NULL, &action);
    EXPECT(action.sa_handler == on_sigchld, 1);
    EXPECT(signals > 0, 1);
    /* Only newer kernels report the status of a child that was already reaped. */
    EXPECT(status_seen == 9 || status_seen == -10, 1);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
