/* uv_process_kill and uv_kill. */
#include "child.h"

int main(void) {
    prepare_child();
    shell[2] = "sleep 10";
    print("spawn %s", code(uv_spawn(&loop, &child, &options)));
    print("pid %d", uv_process_get_pid(&child) == child.pid);
    print("probe %s", code(uv_process_kill(&child, 0)));
    print("invalid signals %s, %s", code(uv_process_kill(&child, -1)),
          code(uv_process_kill(&child, 65)));
    print("kill %s", code(uv_process_kill(&child, SIGTERM)));
    uv_run(&loop, UV_RUN_DEFAULT);
    print("after exit %s", code(uv_process_kill(&child, SIGTERM)));
    print("own process %s, invalid signal %s", code(uv_kill(getpid(), 0)),
          code(uv_kill(getpid(), -1)));
    print("missing process %s", code(uv_kill(0x7ffffff, 0)));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
