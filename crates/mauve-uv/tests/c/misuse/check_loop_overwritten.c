/* aborts: uv_run: the loop at 0x ... , created by uv_loop_init, was overwritten before uv_loop_close */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    memset(&loop, 0xa5, sizeof loop);
    uv_run(&loop, UV_RUN_DEFAULT);
    return 0;
}
