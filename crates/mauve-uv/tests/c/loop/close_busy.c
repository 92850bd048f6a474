/* uv_loop_close returns UV_EBUSY while a handle exists or a request is active. */
#include "test.h"

static uv_loop_t loop;

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    print("after work: %s", code(status));
    (void)work;
}

int main(void) {
    uv_timer_t timer;
    uv_async_t async;
    uv_work_t work;

    loop.data = &timer;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    print("inactive handle: %s", code(uv_loop_close(&loop)));
    uv_unref((uv_handle_t *)&timer);
    print("inactive and unreferenced: %s", code(uv_loop_close(&loop)));
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&timer, NULL);
    print("closing handle: %s", code(uv_loop_close(&loop)));
    uv_run(&loop, UV_RUN_DEFAULT);

    uv_async_init(&loop, &async, NULL);
    uv_unref((uv_handle_t *)&async);
    print("unreferenced async: %s", code(uv_loop_close(&loop)));
    uv_close((uv_handle_t *)&async, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    uv_queue_work(&loop, &work, on_work, after_work);
    print("work: %s", code(uv_loop_close(&loop)));
    uv_run(&loop, UV_RUN_DEFAULT);
    print("nothing left: %s", code(uv_loop_close(&loop)));
    print("data kept: %d", loop.data == &timer);

    uv_loop_init(&loop);
    print("again: %s", code(uv_loop_close(&loop)));
    print("data kept: %d", loop.data == &timer);
    return 0;
}
