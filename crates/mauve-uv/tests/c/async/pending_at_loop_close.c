/* An async handle is notified and closed after the last poll phase of its loop. Later loops of the
 * process still receive wake-ups from threads and from the pool. */
#include "test.h"

static uv_async_t async;
static uv_check_t check;
static uv_timer_t watchdog;
static int calls, timeouts;

static void on_async(uv_async_t *handle) {
    calls++;
    uv_close((uv_handle_t *)handle, NULL);
}

static void on_check(uv_check_t *handle) {
    uv_async_send(&async);
    uv_close((uv_handle_t *)&async, NULL);
    uv_close((uv_handle_t *)handle, NULL);
}

static void on_watchdog(uv_timer_t *handle) {
    timeouts++;
    uv_stop(handle->loop);
}

static void send_from_thread(void *arg) {
    uv_async_send(arg);
}

static void on_work(uv_work_t *request) {
    (void)request;
}

static void after_work(uv_work_t *request, int status) {
    (void)request;
    if (status == 0) calls++;
}

/* The handle is notified after the last poll phase only. */
static void close_loop_with_pending_send(void) {
    uv_loop_t loop;
    assert(uv_loop_init(&loop) == 0);
    uv_async_init(&loop, &async, on_async);
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    uv_async_send(&async);
    async.async_cb = NULL;
    uv_run(&loop, UV_RUN_DEFAULT);
    assert(uv_loop_close(&loop) == 0);
}

static void check_new_loop(const char *name) {
    uv_loop_t loop;
    uv_thread_t thread;
    uv_work_t work;
    assert(uv_loop_init(&loop) == 0);
    uv_timer_init(&loop, &watchdog);
    uv_timer_start(&watchdog, on_watchdog, 3000, 0);
    uv_unref((uv_handle_t *)&watchdog);
    uv_async_init(&loop, &async, on_async);
    calls = timeouts = 0;
    uv_thread_create(&thread, send_from_thread, &async);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_thread_join(&thread);
    uv_queue_work(&loop, &work, on_work, after_work);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("%s: calls %d, timeouts %d", name, calls, timeouts);
    close_loop(&loop);
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        close_loop_with_pending_send();
        check_new_loop("the next loop");
    }
    for (int i = 0; i < 500; i++)
        close_loop_with_pending_send();
    check_new_loop("after 500 loops");
    return 0;
}
