/* A detached child that nobody waits for, and one that is closed before it ends. */
#include "child.h"

#include <sys/wait.h>

int main(void) {
    prepare_child();
    options.flags = UV_PROCESS_DETACHED;
    run_child("leader", "test $(cut -d' ' -f6 /proc/$$/stat) = $$ && echo '  of a session'");
    shell[2] = "sleep 10";
    say("spawn %s", code(uv_spawn(&loop, &child, &options)));
    uv_unref((uv_handle_t *)&child);
    say("run %d, active %d", uv_run(&loop, UV_RUN_DEFAULT), uv_is_active((uv_handle_t *)&child));
    int pid = child.pid;
    uv_close((uv_handle_t *)&child, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("kill %s", code(uv_kill(pid, SIGKILL)));
    say("it is ours to wait for: %d", waitpid(pid, NULL, 0) == pid);
    say("close %s", code(finish(&loop)));
    return 0;
}
