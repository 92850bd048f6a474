/* `interpreter < SCRIPT`: runs a script and prints the trace. */
#include "interp.h"

#include <signal.h>

struct world world;
_Thread_local struct stack stack = {.loop = -1};

int main(void) {
    read_script();
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, 0) < 0) return 3;
    close(null);
    signal(SIGPIPE, SIG_IGN);
    is_script_thread = true;
    start_watchdog();
    start_clock();
    for (int i = 0; i < LOOPS; i++) {
        if (uv_loop_init(&world.loops[i]) != 0) return 3;
        world.loop_open[i] = true;
        init_inotify(&world.loops[i]);
        open_settler(i);
    }
    start_first_child(&world.loops[0]);
    run_routine(0);
    tear_down();
    trace("end");
    return 0;
}
