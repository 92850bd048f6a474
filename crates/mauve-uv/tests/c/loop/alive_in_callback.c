/* uv_loop_alive and uv_backend_timeout in callbacks: remaining callbacks of the phase do not
 * count. */
#include "test.h"

static uv_loop_t loop;

static void print_state(const char *where) {
    print("%s: alive %d, timeout %d", where, uv_loop_alive(&loop), uv_backend_timeout(&loop));
}

static void on_close(uv_handle_t *handle) { print_state(handle->data); }

static volatile int done;

static void on_work(uv_work_t *work) {
    (void)work;
    __sync_fetch_and_add(&done, 1);
}

static void after_work(uv_work_t *work, int status) {
    (void)work;
    (void)status;
    print_state("after work");
}

static int calls;

static void on_async(uv_async_t *async) {
    print_state("async");
    if (++calls == 2) {
        uv_close((uv_handle_t *)&async[0], NULL);
        uv_close((uv_handle_t *)&async[-1], NULL);
    }
}

int main(void) {
    uv_timer_t timers[3];
    uv_work_t works[3];
    uv_async_t asyncs[2];
    int i;

    uv_loop_init(&loop);
    for (i = 0; i < 3; i++) {
        uv_timer_init(&loop, &timers[i]);
        timers[i].data = i == 0 ? "last close" : "close";
        uv_close((uv_handle_t *)&timers[i], on_close);
    }
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));

    for (i = 0; i < 3; i++)
        uv_queue_work(&loop, &works[i], on_work, after_work);
    /* All three have run, so one poll phase reports them. */
    while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) < 3)
        uv_sleep(1);
    uv_sleep(10);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));

    for (i = 0; i < 2; i++) {
        uv_async_init(&loop, &asyncs[i], on_async);
        uv_async_send(&asyncs[i]);
    }
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close: %d", uv_loop_close(&loop));
    return 0;
}
