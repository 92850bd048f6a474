/* aborts: uv_timer_init: the loop at 0x ... was never initialised */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop, other;
    uv_loop_init(&loop);
    memset(&other, 0xa5, sizeof other);
    uv_timer_t timer;
    uv_timer_init(&other, &timer);
    return 0;
}
