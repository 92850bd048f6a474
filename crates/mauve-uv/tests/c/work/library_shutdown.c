/* uv_library_shutdown stops the pool and may be called twice. */
#include "test.h"

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    (void)work;
    print("after %s", code(status));
}

int main(void) {
    uv_loop_t loop;
    uv_work_t work;

    uv_loop_init(&loop);
    uv_queue_work(&loop, &work, on_work, after_work);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    uv_library_shutdown();
    uv_library_shutdown();
    print("shut down");
    return 0;
}
