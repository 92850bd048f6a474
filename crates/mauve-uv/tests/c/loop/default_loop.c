/* uv_default_loop returns the same loop, and initialises it again after uv_loop_close. */
#include "test.h"

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    print("timer");
}

int main(void) {
    uv_loop_t *first = uv_default_loop();
    uv_timer_t timer;

    first->data = &timer;
    print("the same: %d", uv_default_loop() == first);
    print("close %s", code(uv_loop_close(first)));
    print("the same storage: %d", uv_default_loop() == first);
    uv_timer_init(uv_default_loop(), &timer);
    print("its loop: %d", timer.loop == first);
    uv_timer_start(&timer, on_timer, 1, 0);
    print("run %d", uv_run(uv_default_loop(), UV_RUN_DEFAULT));
    print("busy: %s", code(uv_loop_close(first)));
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(first, UV_RUN_DEFAULT);
    print("close %s", code(uv_loop_close(first)));
    return 0;
}
