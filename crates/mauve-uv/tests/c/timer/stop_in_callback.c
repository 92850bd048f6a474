/* A callback stops, closes and restarts timers that are due a little later. */
#include "say.h"

static uv_timer_t first, stopped, closed, postponed, hastened;

static void on_close(uv_handle_t *handle) {
    (void)handle;
    say("closed");
}

static void never(uv_timer_t *timer) {
    (void)timer;
    say("never");
}

static void on_timer(uv_timer_t *timer) {
    say("%s", (char *)timer->data);
    if (timer != &first) return;
    uv_timer_stop(&stopped);
    uv_close((uv_handle_t *)&closed, on_close);
    uv_timer_start(&postponed, on_timer, 30, 0);
    uv_timer_start(&hastened, on_timer, 10, 0);
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &first);
    uv_timer_init(&loop, &stopped);
    uv_timer_init(&loop, &closed);
    uv_timer_init(&loop, &postponed);
    uv_timer_init(&loop, &hastened);
    first.data = "first";
    postponed.data = "postponed";
    hastened.data = "hastened";
    uv_timer_start(&first, on_timer, 1, 0);
    uv_timer_start(&stopped, never, 20, 0);
    uv_timer_start(&closed, never, 20, 0);
    uv_timer_start(&postponed, on_timer, 20, 0);
    uv_timer_start(&hastened, on_timer, 3600000, 0);
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close %s", code(finish(&loop)));
    return 0;
}
