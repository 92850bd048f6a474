/* A stop before the poll phase keeps it from waiting for a far timer. */
#include "say.h"

static void on_prepare(uv_prepare_t *prepare) {
    say("prepare, backend timeout %d", uv_backend_timeout(prepare->loop) > 0);
    uv_stop(prepare->loop);
    say("stopped, backend timeout %d", uv_backend_timeout(prepare->loop));
}

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    say("timer");
}

int main(void) {
    uv_loop_t loop;
    uv_prepare_t prepare;
    uv_timer_t timer;

    uv_loop_init(&loop);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 3600000, 0);
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("once %d", uv_run(&loop, UV_RUN_ONCE));
    say("close %s", code(finish(&loop)));
    return 0;
}
