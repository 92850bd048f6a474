/* The default loop: one, and again after it was closed. */
#include "say.h"

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    say("timer");
}

int main(void) {
    uv_loop_t *first = uv_default_loop();
    uv_timer_t timer;

    first->data = &timer;
    say("the same: %d", uv_default_loop() == first);
    say("close %s", code(uv_loop_close(first)));
    say("the same storage: %d", uv_default_loop() == first);
    uv_timer_init(uv_default_loop(), &timer);
    say("its loop: %d", timer.loop == first);
    uv_timer_start(&timer, on_timer, 1, 0);
    say("run %d", uv_run(uv_default_loop(), UV_RUN_DEFAULT));
    say("busy: %s", code(uv_loop_close(first)));
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(first, UV_RUN_DEFAULT);
    say("close %s", code(uv_loop_close(first)));
    return 0;
}
