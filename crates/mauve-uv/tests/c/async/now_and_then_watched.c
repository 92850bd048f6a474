/* Another thread waits for an answer to each of its signals, while the loop has something to watch for
 * a few of them and then nothing for a few. Not one may be missed. */
#include "say.h"

#include <unistd.h>

enum { SIGNALS = 30000 };

static uv_async_t async;
static uv_poll_t poll_handle;
static uv_sem_t answers;
static int answered, watches;

static void on_poll(uv_poll_t *handle, int status, int events) {
    (void)handle;
    say("poll %d %d", status, events);
}

static void on_async(uv_async_t *handle) {
    (void)handle;
    answered++;
    if (answered % 3 == 0) {
        watches++;
        if (uv_is_active((uv_handle_t *)&poll_handle))
            uv_poll_stop(&poll_handle);
        else
            uv_poll_start(&poll_handle, UV_READABLE, on_poll);
    }
    if (answered == SIGNALS) {
        uv_close((uv_handle_t *)&async, NULL);
        uv_close((uv_handle_t *)&poll_handle, NULL);
    }
    uv_sem_post(&answers);
}

static void asks(void *arg) {
    (void)arg;
    for (int i = 0; i < SIGNALS; i++) {
        /* Now and then the loop has the time to fall asleep. */
        if (i % 1000 == 0) uv_sleep(1);
        uv_async_send(&async);
        uv_sem_wait(&answers);
    }
}

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    uv_thread_t thread;
    int ends[2];
    assert(pipe(ends) == 0);
    uv_sem_init(&answers, 0);
    uv_async_init(loop, &async, on_async);
    uv_poll_init(loop, &poll_handle, ends[0]);
    uv_thread_create(&thread, asks, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    uv_thread_join(&thread);
    say("answered %d, changed %d times", answered, watches);
    return finish(loop);
}
