/* aborts: is busy */
#include "test.h"

int main(void) {
    uv_loop_t *loop = uv_loop_new();
    uv_timer_t timer;
    uv_timer_init(loop, &timer);
    uv_loop_delete(loop);
    return 0;
}
