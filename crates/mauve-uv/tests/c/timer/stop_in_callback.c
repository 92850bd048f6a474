/* A timer callback stops, closes and restarts other timers. */
#include "test.h"

static uv_timer_t first, stopped, closed, postponed, advanced;

static void on_close(uv_handle_t *handle) {
    (void)handle;
    print("closed");
}

static void never(uv_timer_t *timer) {
    (void)timer;
    print("never");
}

static void on_timer(uv_timer_t *timer) {
    print("%s", (char *)timer->data);
    if (timer != &first) return;
    uv_timer_stop(&stopped);
    uv_close((uv_handle_t *)&closed, on_close);
    uv_timer_start(&postponed, on_timer, 30, 0);
    uv_timer_start(&advanced, on_timer, 10, 0);
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &first);
    uv_timer_init(&loop, &stopped);
    uv_timer_init(&loop, &closed);
    uv_timer_init(&loop, &postponed);
    uv_timer_init(&loop, &advanced);
    first.data = "first";
    postponed.data = "postponed";
    advanced.data = "advanced";
    uv_timer_start(&first, on_timer, 1, 0);
    uv_timer_start(&stopped, never, 20, 0);
    uv_timer_start(&closed, never, 20, 0);
    uv_timer_start(&postponed, on_timer, 20, 0);
    uv_timer_start(&advanced, on_timer, 3600000, 0);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
