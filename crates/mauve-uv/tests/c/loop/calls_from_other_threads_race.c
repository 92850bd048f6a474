/* Threads call into a loop as fast as they can, under a lock that the loop's thread releases in its
 * prepare callback and takes again in its check callback. */
#include "test.h"

static uv_loop_t loop;
static uv_async_t wake;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_mutex_t lock;
static int stopping;
static int calls, callbacks;

static void on_prepare(uv_prepare_t *p) { (void)p; uv_mutex_unlock(&lock); }
static void on_check(uv_check_t *c) { (void)c; uv_mutex_lock(&lock); }
static void on_wake(uv_async_t *a) { (void)a; }
static void on_timer(uv_timer_t *t) { (void)t; callbacks++; }
static void on_close(uv_handle_t *h) { free(h); callbacks++; }

static void caller(void *argument) {
    (void)argument;
    for (int round = 0; round < 3000; round++) {
        uv_mutex_lock(&lock);
        uv_timer_t *timer = malloc(sizeof *timer);
        uv_timer_init(&loop, timer);
        uv_timer_start(timer, on_timer, round % 3, 0);
        if (round % 2) uv_timer_stop(timer);
        uv_close((uv_handle_t *)timer, on_close);
        calls++;
        if (round == 2999) stopping++;
        uv_mutex_unlock(&lock);
        uv_async_send(&wake);
    }
}

int main(void) {
    uv_thread_t threads[2];
    EXPECT(uv_loop_init(&loop), 0);
    uv_mutex_init(&lock);
    uv_async_init(&loop, &wake, on_wake);
    uv_prepare_init(&loop, &prepare);
    uv_check_init(&loop, &check);
    uv_prepare_start(&prepare, on_prepare);
    uv_check_start(&check, on_check);
    uv_mutex_lock(&lock);
    for (int i = 0; i < 2; i++) uv_thread_create(&threads[i], caller, NULL);
    while (stopping < 2) uv_run(&loop, UV_RUN_ONCE);
    uv_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++) uv_thread_join(&threads[i]);
    uv_prepare_stop(&prepare);
    uv_check_stop(&check);
    uv_close((uv_handle_t *)&wake, NULL);
    uv_close((uv_handle_t *)&prepare, NULL);
    uv_close((uv_handle_t *)&check, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    printf("%d calls, %d callbacks, close %d\n", calls, callbacks, uv_loop_close(&loop));
    return 0;
}
