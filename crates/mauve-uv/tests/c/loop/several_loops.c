/* Loops are independent of each other, and one may run inside a callback of another. */
#include "say.h"

static uv_loop_t inner;

static void on_inner(uv_timer_t *timer) {
    (void)timer;
    say("  inner timer");
}

static void on_outer(uv_idle_t *idle) {
    say("outer idle");
    say("  inner run %d", uv_run(&inner, UV_RUN_DEFAULT));
    say("  outer alive %d", uv_loop_alive(idle->loop));
    uv_idle_stop(idle);
}

static void *run_thread(void *argument) {
    uv_loop_t loop;
    uv_timer_t timer;
    (void)argument;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_inner, 5, 0);
    say("run in a thread %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close in a thread %s", code(finish(&loop)));
    return NULL;
}

int main(void) {
    uv_loop_t outer;
    uv_idle_t idle;
    uv_timer_t timer;
    pthread_t thread;

    uv_loop_init(&outer);
    uv_loop_init(&inner);
    uv_idle_init(&outer, &idle);
    uv_idle_start(&idle, on_outer);
    uv_timer_init(&inner, &timer);
    uv_timer_start(&timer, on_inner, 5, 0);
    say("outer run %d", uv_run(&outer, UV_RUN_DEFAULT));
    say("close %s", code(finish(&inner)));
    pthread_create(&thread, NULL, run_thread, NULL);
    pthread_join(thread, NULL);
    say("close %s", code(finish(&outer)));
    return 0;
}
