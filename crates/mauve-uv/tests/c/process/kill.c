/* Signals to a child, and to others. */
#include "child.h"

int main(void) {
    prepare_child();
    shell[2] = "sleep 10";
    say("spawn %s", code(uv_spawn(&loop, &child, &options)));
    say("pid %d", uv_process_get_pid(&child) == child.pid);
    say("probe %s", code(uv_process_kill(&child, 0)));
    say("no signal %s, %s", code(uv_process_kill(&child, -1)), code(uv_process_kill(&child, 65)));
    say("kill %s", code(uv_process_kill(&child, SIGTERM)));
    uv_run(&loop, UV_RUN_DEFAULT);
    say("afterwards %s", code(uv_process_kill(&child, SIGTERM)));
    say("kill ourselves %s, with no signal %s", code(uv_kill(getpid(), 0)),
        code(uv_kill(getpid(), -1)));
    say("nobody %s", code(uv_kill(0x7ffffff, 0)));
    say("close %s", code(finish(&loop)));
    return 0;
}
