/* What programs do with a loop that is closed already, and libuv lets pass. */
#include "say.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    loop.data = &loop;
    say("close %s", code(uv_loop_close(&loop)));
    uv_stop(&loop);
    uv_update_time(&loop);
    say("time %d", uv_now(&loop) > 0);
    say("backend %d", uv_backend_fd(&loop));
    /* Programs close until they are refused. */
    say("close again %s", code(uv_loop_close(&loop)));
    say("init %s", code(uv_loop_init(&loop)));
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
