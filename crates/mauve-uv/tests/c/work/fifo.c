/* With one thread, work runs and completes in the order of queueing. */
#include "test.h"

static uv_work_t works[8];
static char order[9];
static int count;

static void on_work(uv_work_t *work) { order[count++] = (char)('0' + (work - works)); }

static void after_work(uv_work_t *work, int status) {
    print("after %d: %s", (int)(work - works), code(status));
}

int main(void) {
    uv_loop_t loop;

    setenv("UV_THREADPOOL_SIZE", "1", 1);
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(works); i++) uv_queue_work(&loop, &works[i], on_work, after_work);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("ran %s", order);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
