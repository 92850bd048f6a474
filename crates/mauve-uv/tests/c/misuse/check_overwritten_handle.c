/* aborts: uv_run: the timer handle at 0x ... , created by uv_timer_init, was overwritten or freed before its close callback */
/* env: MAUVE_CHECK=1 */
#include "test.h"

static void on_timer(uv_timer_t *timer) { (void)timer; }


int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_timer_t *timer = malloc(sizeof *timer);
    uv_timer_init(&loop, timer);
    uv_timer_start(timer, on_timer, 1, 0);
    memset(timer, 0xdd, sizeof *timer);
    uv_run(&loop, UV_RUN_DEFAULT);
    return 0;
}
