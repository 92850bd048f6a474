/* UV_RUN_ONCE waits for an event or the next timer; UV_RUN_NOWAIT does not wait. */
#include "test.h"

static uv_async_t async;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    print("  timer");
}

static void on_async(uv_async_t *handle) {
    (void)handle;
    print("  async");
}

static void *send_later(void *argument) {
    usleep(20000);
    uv_async_send(argument);
    return NULL;
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;
    pthread_t thread;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 30, 0);
    print("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("once %d", uv_run(&loop, UV_RUN_ONCE));
    print("once %d", uv_run(&loop, UV_RUN_ONCE));

    uv_async_init(&loop, &async, on_async);
    pthread_create(&thread, NULL, send_later, &async);
    print("once, async from a thread %d", uv_run(&loop, UV_RUN_ONCE));
    pthread_join(thread, NULL);
    print("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
