/* uv_library_shutdown ends the pool and may be called twice; the program then just ends. */
#include "say.h"

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    (void)work;
    say("after %s", code(status));
}

int main(void) {
    uv_loop_t loop;
    uv_work_t work;

    uv_loop_init(&loop);
    uv_queue_work(&loop, &work, on_work, after_work);
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close %s", code(uv_loop_close(&loop)));
    uv_library_shutdown();
    uv_library_shutdown();
    say("shut down");
    return 0;
}
