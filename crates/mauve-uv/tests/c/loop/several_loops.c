/* Loops are independent, and one can run in a callback of another. */
#include "test.h"

static uv_loop_t inner;

static void on_inner(uv_timer_t *timer) {
    (void)timer;
    print("  inner timer");
}

static void on_outer(uv_idle_t *idle) {
    print("outer idle");
    print("  inner run %d", uv_run(&inner, UV_RUN_DEFAULT));
    print("  outer alive %d", uv_loop_alive(idle->loop));
    uv_idle_stop(idle);
}

static void *run_thread(void *argument) {
    uv_loop_t loop;
    uv_timer_t timer;
    (void)argument;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_inner, 5, 0);
    print("run in a thread %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close in a thread %s", code(close_loop(&loop)));
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
    print("outer run %d", uv_run(&outer, UV_RUN_DEFAULT));
    print("close %s", code(close_loop(&inner)));
    pthread_create(&thread, NULL, run_thread, NULL);
    pthread_join(thread, NULL);
    print("close %s", code(close_loop(&outer)));
    return 0;
}
