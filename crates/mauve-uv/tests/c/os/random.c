/* uv_random, synchronous, on the pool, and cancelled. */
#include "test.h"

static unsigned char bytes[1 << 16], expected[1];
static uv_sem_t block;

static int zeros(size_t length) {
    int zeros = 0;
    for (size_t i = 0; i < length; i++)
        zeros += bytes[i] == 0;
    return zeros;
}

static void on_random(uv_random_t *random, int status, void *buffer, size_t length) {
    print("random: %s %zu %d", code(status), length, buffer == random->data);
}

static void wait_on_pool(uv_work_t *work) {
    (void)work;
    uv_sem_wait(&block);
}

static void after_wait(uv_work_t *work, int status) {
    (void)work;
    print("work: %s", code(status));
}

int main(void) {
    uv_loop_t loop;
    uv_random_t random, second;
    uv_work_t work;

    putenv("UV_THREADPOOL_SIZE=1");
    uv_loop_init(&loop);
    print("sync: %s", code(uv_random(NULL, NULL, bytes, sizeof bytes, 0, NULL)));
    print("  few zeros: %d", zeros(sizeof bytes) < 1024);
    print("none: %s", code(uv_random(NULL, NULL, bytes, 0, 0, NULL)));
    print("flags: %s", code(uv_random(NULL, NULL, bytes, 1, 1, NULL)));
    print("too many: %s", code(uv_random(NULL, NULL, bytes, (size_t)0x7fffffff + 1, 0, NULL)));
    print("too many, with flags: %s", code(uv_random(NULL, NULL, bytes, (size_t)-1, 1, NULL)));
    print("async, flags: %s", code(uv_random(&loop, &random, bytes, 1, 1, on_random)));
    print("alive: %d", uv_loop_alive(&loop));

    memset(bytes, 0, sizeof bytes);
    random.data = bytes;
    print("async: %s", code(uv_random(&loop, &random, bytes, sizeof bytes, 0, on_random)));
    print("type: %s", uv_req_type_name(random.type));
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("  few zeros: %d", zeros(sizeof bytes) < 1024);
    second.data = expected;
    print("async, none: %s", code(uv_random(&loop, &second, expected, 0, 0, on_random)));
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));

    /* The only pool thread is busy, so the request stays queued. */
    uv_sem_init(&block, 0);
    uv_queue_work(&loop, &work, wait_on_pool, after_wait);
    print("queued: %s", code(uv_random(&loop, &random, bytes, 8, 0, on_random)));
    print("cancel: %s", code(uv_cancel((uv_req_t *)&random)));
    print("run once: %d", uv_run(&loop, UV_RUN_ONCE));
    uv_sem_post(&block);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close: %s", code(uv_loop_close(&loop)));
    return 0;
}
