/* A child whose handle is closed belongs to the program, and can still be sent signals. */
#include "../say.h"

#include <signal.h>
#include <sys/wait.h>

int main(void) {
    uv_loop_t loop;
    uv_process_t process;
    char *args[] = {"sleep", "100", NULL};
    uv_process_options_t options = {.file = "sleep", .args = args};
    uv_loop_init(&loop);
    say("spawn: %s", code(uv_spawn(&loop, &process, &options)));
    int pid = uv_process_get_pid(&process), status = 0;
    uv_close((uv_handle_t *)&process, NULL);
    say("no signal: %s", code(uv_process_kill(&process, 0)));
    say("no such signal: %s", code(uv_process_kill(&process, 1000)));
    say("kill: %s", code(uv_process_kill(&process, SIGKILL)));
    say("end: %s", code(finish(&loop)));
    waitpid(pid, &status, 0);
    say("signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return 0;
}
