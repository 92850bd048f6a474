/* aborts: uv_run: the tcp handle at 0x ... , created by uv_tcp_init, was overwritten or freed before its close callback */
/* env: MAUVE_CHECK=1 */
#include "test.h"

/* The overwritten handle is inactive; a timer keeps the loop alive. */
static void on_timer(uv_timer_t *timer) { memset(timer->data, 0, sizeof(uv_tcp_t)); }

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_tcp_t tcp;
    uv_tcp_init(&loop, &tcp);
    uv_timer_t timer;
    timer.data = &tcp;
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 1, 1);
    uv_run(&loop, UV_RUN_DEFAULT);
    return 0;
}
