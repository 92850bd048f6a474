/* env: MAUVE_SELECTOR=epoll */
/* A loop that has waited on a futex is embedded in another poll later: pending and new wake-ups
 * make its backend descriptor readable. */
#include "test.h"

#include <poll.h>

static uv_async_t async;
static int calls;

static void on_async(uv_async_t *handle) {
    (void)handle;
    calls++;
}

static void on_timer(uv_timer_t *handle) {
    (void)handle;
}

static void send_later(void *arg) {
    (void)arg;
    uv_sleep(20);
    uv_async_send(&async);
}

static void poll_and_run(const char *when) {
    struct pollfd pollfd = {uv_backend_fd(uv_default_loop()), POLLIN, 0};
    int ready = poll(&pollfd, 1, 5000);
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
    print("%s: ready %d, calls %d", when, ready, calls);
}

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    uv_thread_t thread;
    uv_timer_t timer;
    uv_async_init(loop, &async, on_async);
    uv_timer_init(loop, &timer);
    /* No descriptor is watched, and uv_backend_fd has not been called. */
    for (int i = 0; i < 3; i++) {
        /* If it is due before the loop polls, libuv 1.44 waits for the async handle. */
        uv_update_time(loop);
        uv_timer_start(&timer, on_timer, 50, 0);
        uv_run(loop, UV_RUN_ONCE);
    }
    uv_thread_create(&thread, send_later, NULL);
    uv_run(loop, UV_RUN_ONCE);
    uv_thread_join(&thread);
    print("calls %d", calls);
    uv_async_send(&async);
    poll_and_run("sent before uv_backend_fd");
    uv_thread_create(&thread, send_later, NULL);
    poll_and_run("sent during poll");
    uv_thread_join(&thread);
    return close_loop(loop);
}
