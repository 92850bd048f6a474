/* ONCE waits for an event or the nearest timer; NOWAIT does not. */
#include "say.h"

static uv_async_t async;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    say("  timer");
}

static void on_async(uv_async_t *handle) {
    (void)handle;
    say("  async");
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
    say("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    say("once %d", uv_run(&loop, UV_RUN_ONCE));
    say("once %d", uv_run(&loop, UV_RUN_ONCE));

    uv_async_init(&loop, &async, on_async);
    pthread_create(&thread, NULL, send_later, &async);
    say("once, async from a thread %d", uv_run(&loop, UV_RUN_ONCE));
    pthread_join(thread, NULL);
    say("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    say("close %s", code(finish(&loop)));
    return 0;
}
