/* aborts: uv_timer_init: the timer handle at 0x ... , created by uv_timer_init, is initialised again before its close callback */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_timer_t timer;
    uv_timer_init(&loop, &timer);
    uv_timer_init(&loop, &timer);
    return 0;
}
