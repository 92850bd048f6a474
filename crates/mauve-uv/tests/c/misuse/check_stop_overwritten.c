/* aborts: uv_idle_stop: the idle handle at 0x ... , created by uv_idle_init, was overwritten before its close callback */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_idle_t idle;
    uv_idle_init(&loop, &idle);
    memset(&idle, 0x11, sizeof idle);
    uv_idle_stop(&idle);
    return 0;
}
