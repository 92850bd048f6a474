/* A process exits with open handles, running work and a loop that was not closed. */
#include "test.h"

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    print("timer");
}

static void on_work(uv_work_t *work) {
    (void)work;
    uv_sleep(200);
}

static void at_exit(void) {
    print("at exit");
}

int main(void) {
    static uv_timer_t timer, other;
    static uv_tcp_t tcp;
    static uv_work_t work;
    uv_loop_t *loop = uv_default_loop();
    atexit(at_exit);
    uv_timer_init(loop, &timer);
    uv_timer_init(loop, &other);
    uv_tcp_init(loop, &tcp);
    uv_timer_start(&timer, on_timer, 1, 0);
    uv_timer_start(&other, on_timer, 100000, 0);
    uv_queue_work(loop, &work, on_work, NULL);
    print("run %d", uv_run(loop, UV_RUN_ONCE));
    print("close %s", code(uv_loop_close(loop)));
    return 3;
}
