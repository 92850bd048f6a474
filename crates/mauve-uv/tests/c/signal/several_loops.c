/* Loops on several threads all receive every signal. */
#include <signal.h>

#include "test.h"

#define RAISES 20

static uv_sem_t ready, delivered;

static void on_signal(uv_signal_t *handle, int number) {
    int *count = handle->data;
    (void)number;
    if (++*count == RAISES) uv_close((uv_handle_t *)handle, NULL);
    uv_sem_post(&delivered);
}

static void run(void *argument) {
    uv_loop_t loop;
    uv_signal_t handle;

    uv_loop_init(&loop);
    uv_signal_init(&loop, &handle);
    handle.data = argument;
    uv_signal_start(&handle, on_signal, SIGUSR1);
    uv_sem_post(&ready);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert(uv_loop_close(&loop) == 0);
}

int main(void) {
    uv_thread_t threads[4];
    int counts[4] = {0};

    uv_sem_init(&ready, 0);
    uv_sem_init(&delivered, 0);
    for (size_t i = 0; i < COUNT(threads); i++) uv_thread_create(&threads[i], run, &counts[i]);
    for (size_t i = 0; i < COUNT(threads); i++) uv_sem_wait(&ready);
    for (int i = 0; i < RAISES; i++) {
        raise(SIGUSR1);
        for (size_t j = 0; j < COUNT(threads); j++) uv_sem_wait(&delivered);
    }
    for (size_t i = 0; i < COUNT(threads); i++) {
        uv_thread_join(&threads[i]);
        print("%d", counts[i]);
    }
    return 0;
}
