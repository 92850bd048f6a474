/* aborts: was never initialised */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_idle_t idle;
    memset(&idle, 0, sizeof idle);
    /* Without MAUVE_CHECK this returns 0, as with libuv. */
    uv_idle_stop(&idle);
    return 0;
}
