/* aborts: uv_close: the timer handle */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_timer_t timer;
    uv_timer_init(&loop, &timer);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_close((uv_handle_t *)&timer, NULL);
    return 0;
}
