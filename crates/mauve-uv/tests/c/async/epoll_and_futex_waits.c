/* A thread sends and waits for the reply, many times. Meanwhile the loop starts and stops a poll
 * handle, so that it waits in epoll and on a futex by turns. No wake-up may be lost. */
#include "test.h"

#include <unistd.h>

enum { SENDS = 30000 };

static uv_async_t async;
static uv_poll_t poll_handle;
static uv_sem_t replies;
static int calls, toggles;

static void on_poll(uv_poll_t *handle, int status, int events) {
    (void)handle;
    print("poll %d %d", status, events);
}

static void on_async(uv_async_t *handle) {
    (void)handle;
    calls++;
    if (calls % 3 == 0) {
        toggles++;
        if (uv_is_active((uv_handle_t *)&poll_handle))
            uv_poll_stop(&poll_handle);
        else
            uv_poll_start(&poll_handle, UV_READABLE, on_poll);
    }
    if (calls == SENDS) {
        uv_close((uv_handle_t *)&async, NULL);
        uv_close((uv_handle_t *)&poll_handle, NULL);
    }
    uv_sem_post(&replies);
}

static void send_and_wait(void *arg) {
    (void)arg;
    for (int i = 0; i < SENDS; i++) {
        /* Lets the loop block in its wait. */
        if (i % 1000 == 0) uv_sleep(1);
        uv_async_send(&async);
        uv_sem_wait(&replies);
    }
}

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    uv_thread_t thread;
    int ends[2];
    assert(pipe(ends) == 0);
    uv_sem_init(&replies, 0);
    uv_async_init(loop, &async, on_async);
    uv_poll_init(loop, &poll_handle, ends[0]);
    uv_thread_create(&thread, send_and_wait, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    uv_thread_join(&thread);
    print("calls %d, toggles %d", calls, toggles);
    return close_loop(loop);
}
