/* aborts: uv_timer_stop: the idle handle */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_idle_t idle;
    uv_idle_init(&loop, &idle);
    uv_timer_stop((uv_timer_t *)&idle);
    return 0;
}
