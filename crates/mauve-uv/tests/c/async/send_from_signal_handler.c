/* uv_async_send in a signal handler wakes a loop that blocks in its wait. */
#include "test.h"

#include <signal.h>

static uv_async_t async;

static void handler(int number) {
    (void)number;
    uv_async_send(&async);
}

static void *raise_later(void *argument) {
    usleep(20000);
    pthread_kill(*(pthread_t *)argument, SIGUSR1);
    return NULL;
}

static void on_async(uv_async_t *handle) {
    print("async");
    uv_close((uv_handle_t *)handle, NULL);
}

int main(void) {
    uv_loop_t loop;
    pthread_t self = pthread_self(), thread;

    uv_loop_init(&loop);
    uv_async_init(&loop, &async, on_async);
    signal(SIGUSR1, handler);
    pthread_create(&thread, NULL, raise_later, &self);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    pthread_join(thread, NULL);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
