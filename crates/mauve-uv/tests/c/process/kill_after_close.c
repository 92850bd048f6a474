/* uv_process_kill after uv_close, and after the close callback: the child is not reaped by the library
 * and can still be signalled. */
#include "../test.h"

#include <signal.h>
#include <sys/wait.h>

int main(void) {
    uv_loop_t loop;
    uv_process_t process;
    char *args[] = {"sleep", "100", NULL};
    uv_process_options_t options = {.file = "sleep", .args = args};
    uv_loop_init(&loop);
    print("spawn: %s", code(uv_spawn(&loop, &process, &options)));
    int pid = uv_process_get_pid(&process), status = 0;
    uv_close((uv_handle_t *)&process, NULL);
    print("signal 0: %s", code(uv_process_kill(&process, 0)));
    print("invalid signal: %s", code(uv_process_kill(&process, 1000)));
    uv_run(&loop, UV_RUN_DEFAULT);
    print("closed, signal 0: %s", code(uv_process_kill(&process, 0)));
    print("closed, invalid signal: %s", code(uv_process_kill(&process, 1000)));
    print("closed, kill: %s", code(uv_process_kill(&process, SIGKILL)));
    print("close: %s", code(close_loop(&loop)));
    waitpid(pid, &status, 0);
    print("signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    print("reaped: %s", code(uv_process_kill(&process, SIGKILL)));
    return 0;
}
