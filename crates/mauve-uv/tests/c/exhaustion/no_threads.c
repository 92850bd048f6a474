/* needs: mauve */
/* No address space is left for a thread stack. uv_queue_work returns an error, and works once
 * memory is available. libuv aborts when its pool cannot start. */
#include "test.h"

#include <sys/resource.h>

static uv_loop_t loop;
static int worked, completed;

static void on_work(uv_work_t *work) {
    (void)work;
    worked++;
}

static void after_work(uv_work_t *work, int status) {
    (void)work;
    assert(status == 0);
    completed++;
}

static void on_thread(void *argument) { (void)argument; }

static size_t used_space(void) {
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert(file != NULL && fscanf(file, "%zu", &pages) == 1);
    fclose(file);
    return pages * 4096;
}

int main(void) {
    uv_work_t work;
    uv_thread_t thread;
    struct rlimit before, limit;

    uv_loop_init(&loop);
    assert(getrlimit(RLIMIT_AS, &before) == 0);
    limit = before;
    limit.rlim_cur = used_space() + (1 << 20);
    assert(setrlimit(RLIMIT_AS, &limit) == 0);

    int created = uv_thread_create(&thread, on_thread, NULL);
    assert(created == UV_EAGAIN || created == UV_ENOMEM);
    int queued = uv_queue_work(&loop, &work, on_work, after_work);
    assert(queued == UV_EAGAIN || queued == UV_ENOMEM);
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0 && completed == 0);

    assert(setrlimit(RLIMIT_AS, &before) == 0);
    assert(uv_queue_work(&loop, &work, on_work, after_work) == 0);
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
    assert(worked == 1 && completed == 1);
    assert(uv_loop_close(&loop) == 0);
    return 0;
}
