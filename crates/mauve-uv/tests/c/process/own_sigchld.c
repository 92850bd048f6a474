/* needs: mauve */
/* A program's own handler for SIGCHLD stays, and may even take the children away. */
#include "child.h"

#include <sys/wait.h>

static int heard, status_seen;

static void on_child(int number) {
    (void)number;
    heard++;
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
    signal(SIGCHLD, on_child);
    options.exit_cb = on_status;
    shell[2] = "exit 9";
    EXPECT(uv_spawn(&loop, &child, &options), 0);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    sigaction(SIGCHLD, NULL, &action);
    EXPECT(action.sa_handler == on_child, 1);
    EXPECT(heard > 0, 1);
    /* Only newer kernels tell how a child ended that somebody else has waited for. */
    EXPECT(status_seen == 9 || status_seen == -10, 1);
    EXPECT(finish(&loop), 0);
    return 0;
}
