/* needs: mauve */
/* uv_loop_close succeeds in the callback of the last work request. */
#include "test.h"

static uv_loop_t loop;

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    (void)work;
    EXPECT(status, 0);
    EXPECT(uv_loop_close(&loop), 0);
}

int main(void) {
    uv_work_t work;

    EXPECT(uv_loop_init(&loop), 0);
    EXPECT(uv_queue_work(&loop, &work, on_work, after_work), 0);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    return 0;
}
