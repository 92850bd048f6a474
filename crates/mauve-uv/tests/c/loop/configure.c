/* uv_loop_configure. */
#include "say.h"

#include <signal.h>

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    say("block SIGPROF: %s", code(uv_loop_configure(&loop, UV_LOOP_BLOCK_SIGNAL, SIGPROF)));
    say("block SIGINT: %s", code(uv_loop_configure(&loop, UV_LOOP_BLOCK_SIGNAL, SIGINT)));
    say("idle time: %s", code(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME)));
    say("idle time again: %s", code(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME)));
    say("unknown: %s", code(uv_loop_configure(&loop, (uv_loop_option)1000)));
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
