/* aborts: was never initialised */
#include "say.h"

/* A handle belongs to its address: a copy of it is no handle. */
int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_timer_t timer, copy;
    uv_timer_init(&loop, &timer);
    copy = timer;
    uv_timer_stop(&copy);
    return 0;
}
