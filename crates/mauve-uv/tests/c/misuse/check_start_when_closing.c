/* aborts: uv_timer_start: the timer handle at 0x ... , created by uv_timer_init, is closing */
/* env: MAUVE_CHECK=1 */
#include "test.h"

static void on_timer(uv_timer_t *timer) { (void)timer; }


int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_timer_t timer;
    uv_timer_init(&loop, &timer);
    uv_close((uv_handle_t *)&timer, NULL);
    /* Without MAUVE_CHECK this returns UV_EINVAL, as in libuv. */
    uv_timer_start(&timer, on_timer, 1, 0);
    return 0;
}
