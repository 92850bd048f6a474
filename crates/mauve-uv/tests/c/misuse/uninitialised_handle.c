/* aborts: was never initialised */
#include "test.h"

static void on_timer(uv_timer_t *timer) { (void)timer; }

int main(void) {
    uv_timer_t timer;
    memset(&timer, 0xa5, sizeof timer);
    uv_timer_start(&timer, on_timer, 1, 0);
    return 0;
}
