/* stderr: uv_loop_close: the loop at 0x ... is busy: /// timer 0x ... due in 1000 ms /// tcp 0x ... inactive */
/* env: MAUVE_CHECK=1 */
#include "test.h"

static void on_timer(uv_timer_t *timer) { (void)timer; }

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_timer_t timer;
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 1000, 0);
    uv_tcp_t tcp;
    uv_tcp_init(&loop, &tcp);
    /* The program gets an error code, so it is not aborted. */
    assert(uv_loop_close(&loop) == UV_EBUSY);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_close((uv_handle_t *)&tcp, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert(uv_loop_close(&loop) == 0);
    return 0;
}
