/* aborts: uv_tcp_init: the timer handle at 0x ... , created by uv_timer_init, is initialised again before its close callback */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    union {
        uv_timer_t timer;
        uv_tcp_t tcp;
    } memory;
    uv_timer_init(&loop, &memory.timer);
    uv_close((uv_handle_t *)&memory.timer, NULL);
    /* The close callback has not run, so the library still owns the memory. */
    uv_tcp_init(&loop, &memory.tcp);
    return 0;
}
