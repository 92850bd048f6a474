/* uv_loop_configure of a loop of zeros, before uv_loop_init, and of a closed loop. */
#include "test.h"
#include <signal.h>

static void configure(const char *state, uv_loop_t *loop) {
    print("%s: block SIGPROF %s", state, code(uv_loop_configure(loop, UV_LOOP_BLOCK_SIGNAL, SIGPROF)));
    print("%s: block another %s", state, code(uv_loop_configure(loop, UV_LOOP_BLOCK_SIGNAL, SIGINT)));
    print("%s: an unknown option %s", state, code(uv_loop_configure(loop, (uv_loop_option)99)));
}

int main(void) {
    static uv_loop_t loop;
    configure("zeros", &loop);
    print("init %s", code(uv_loop_init(&loop)));
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    configure("closed", &loop);
    return 0;
}
