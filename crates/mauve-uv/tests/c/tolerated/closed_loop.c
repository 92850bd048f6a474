/* uv_stop, uv_update_time, uv_now, uv_backend_fd and uv_loop_init of a closed loop. */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    loop.data = &loop;
    print("close %s", code(uv_loop_close(&loop)));
    uv_stop(&loop);
    uv_update_time(&loop);
    print("time %d", uv_now(&loop) > 0);
    print("backend %d", uv_backend_fd(&loop));
    /* Some programs call uv_loop_close until it fails. */
    print("close again %s", code(uv_loop_close(&loop)));
    print("init %s", code(uv_loop_init(&loop)));
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
