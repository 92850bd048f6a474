/* env: MAUVE_SELECTOR=epoll */
/* A forked child that closes the handle of a process takes nothing away from its parent. A program that
 * waits for the descriptor of the loop by itself learns of the end without running the loop before. */
#include "test.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

static uv_loop_t loop;
static uv_process_t process;

static void on_exit_of(uv_process_t *handle, int64_t status, int number) {
    print("exit: %d %d", (int)status, number);
    uv_close((uv_handle_t *)handle, NULL);
}

static void start(void) {
    char *args[] = {"/bin/sleep", "100", NULL};
    uv_process_options_t options = {.file = args[0], .args = args, .exit_cb = on_exit_of};
    print("spawn: %s", code(uv_spawn(&loop, &process, &options)));
}

int main(void) {
    uv_loop_init(&loop);
    start();
    uv_run(&loop, UV_RUN_NOWAIT);
    pid_t child = fork();
    if (child == 0) {
        uv_close((uv_handle_t *)&process, NULL);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    print("kill: %s", code(uv_process_kill(&process, SIGTERM)));
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));

    int fd = uv_backend_fd(&loop);
    start();
    print("kill: %s", code(uv_process_kill(&process, SIGTERM)));
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    while (uv_loop_alive(&loop)) {
        int found = poll(&ready, 1, 5000);
        if (found < 0) continue;
        if (found == 0) break;
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    print("end: %s", code(close_loop(&loop)));
    return 0;
}
