/* A work request is queued again in its after-work callback, and freed in the last one. */
#include "test.h"

static int rounds;

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    print("round %d: %s", ++rounds, code(status));
    if (rounds < 4) {
        print("queue %s", code(uv_queue_work(work->loop, work, on_work, after_work)));
        return;
    }
    memset(work, 0xa5, sizeof *work);
    free(work);
}

int main(void) {
    uv_loop_t loop;
    uv_work_t *work = malloc(sizeof *work);

    uv_loop_init(&loop);
    uv_queue_work(&loop, work, on_work, after_work);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
