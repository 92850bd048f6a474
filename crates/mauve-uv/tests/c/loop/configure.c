/* uv_loop_configure. */
#include "test.h"

#include <signal.h>

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    print("block SIGPROF: %s", code(uv_loop_configure(&loop, UV_LOOP_BLOCK_SIGNAL, SIGPROF)));
    print("block SIGINT: %s", code(uv_loop_configure(&loop, UV_LOOP_BLOCK_SIGNAL, SIGINT)));
    print("idle time: %s", code(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME)));
    print("idle time again: %s", code(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME)));
    print("unknown: %s", code(uv_loop_configure(&loop, (uv_loop_option)1000)));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
