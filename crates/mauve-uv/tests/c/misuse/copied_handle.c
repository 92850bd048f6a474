/* aborts: was never initialised */
#include "test.h"

/* A handle is bound to its address, so a copy of the struct is not a handle. */
int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_timer_t timer, copy;
    uv_timer_init(&loop, &timer);
    copy = timer;
    uv_timer_stop(&copy);
    return 0;
}
