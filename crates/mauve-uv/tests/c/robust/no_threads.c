/* needs: mauve */
/* No address space is left for the stack of a thread. libuv aborts when its pool cannot start;
 * here the work is refused, and done once there is room. */
#include "say.h"

#include <sys/resource.h>

static uv_loop_t loop;
static int worked, told;

static void on_work(uv_work_t *work) {
    (void)work;
    worked++;
}

static void after(uv_work_t *work, int status) {
    (void)work;
    assert(status == 0);
    told++;
}

static void nothing(void *argument) { (void)argument; }

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

    int created = uv_thread_create(&thread, nothing, NULL);
    assert(created == UV_EAGAIN || created == UV_ENOMEM);
    int queued = uv_queue_work(&loop, &work, on_work, after);
    assert(queued == UV_EAGAIN || queued == UV_ENOMEM);
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0 && told == 0);

    assert(setrlimit(RLIMIT_AS, &before) == 0);
    assert(uv_queue_work(&loop, &work, on_work, after) == 0);
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
    assert(worked == 1 && told == 1);
    assert(uv_loop_close(&loop) == 0);
    return 0;
}
