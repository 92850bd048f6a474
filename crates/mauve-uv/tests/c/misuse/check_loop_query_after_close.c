/* aborts: uv_now: the loop at 0x ... , created by uv_loop_init, is closed */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    assert(uv_loop_close(&loop) == 0);
    /* Without MAUVE_CHECK this returns the last time. */
    uv_now(&loop);
    return 0;
}
