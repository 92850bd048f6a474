/* UV_PROCESS_DETACHED, an unreferenced child, and uv_close before the child exits. */
#include "child.h"

#include <sys/wait.h>

int main(void) {
    prepare_child();
    options.flags = UV_PROCESS_DETACHED;
    run_child("detached", "test $(cut -d' ' -f6 /proc/$$/stat) = $$ && echo '  session leader'");
    shell[2] = "sleep 10";
    print("spawn %s", code(uv_spawn(&loop, &child, &options)));
    uv_unref((uv_handle_t *)&child);
    print("run %d, active %d", uv_run(&loop, UV_RUN_DEFAULT), uv_is_active((uv_handle_t *)&child));
    int pid = child.pid;
    uv_close((uv_handle_t *)&child, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("kill %s", code(uv_kill(pid, SIGKILL)));
    print("waitpid: %d", waitpid(pid, NULL, 0) == pid);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
