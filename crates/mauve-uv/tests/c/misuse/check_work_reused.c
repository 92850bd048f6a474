/* aborts: uv_queue_work: the work request at 0x ... , submitted by uv_queue_work, is still active */
/* env: MAUVE_CHECK=1 */
#include "test.h"

static void on_work(uv_work_t *work) { (void)work; }
static void after(uv_work_t *work, int status) {
    (void)work;
    (void)status;
}

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_work_t work;
    uv_queue_work(&loop, &work, on_work, after);
    uv_queue_work(&loop, &work, on_work, after);
    return 0;
}
