/* aborts: uv_timer_init: the loop at 0x ... , created by uv_loop_init, is closed */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    assert(uv_loop_close(&loop) == 0);
    uv_timer_t timer;
    uv_timer_init(&loop, &timer);
    return 0;
}
