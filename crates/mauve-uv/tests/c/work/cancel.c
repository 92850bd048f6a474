/* uv_cancel succeeds for queued work, and fails for running and finished work. Cancelled work is
 * reported while all threads are busy. */
#include "test.h"

static uv_loop_t loop;
static uv_work_t blocker, queued[4];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int running, completed, ran[4];

static void block(uv_work_t *work) {
    (void)work;
    pthread_mutex_lock(&mutex);
    running = 1;
    pthread_cond_signal(&changed);
    while (running) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void on_work(uv_work_t *work) { ran[work - queued]++; }

static void after_queued(uv_work_t *work, int status) {
    print("after %d: %s", (int)(work - queued), code(status));
    completed++;
}

static void after_blocker(uv_work_t *work, int status) {
    (void)work;
    print("after the blocker: %s", code(status));
}

int main(void) {
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    uv_loop_init(&loop);
    uv_queue_work(&loop, &blocker, block, after_blocker);
    for (int i = 0; i < 4; i++) uv_queue_work(&loop, &queued[i], on_work, after_queued);
    pthread_mutex_lock(&mutex);
    while (!running) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);

    print("running: %s", code(uv_cancel((uv_req_t *)&blocker)));
    print("queued: %s", code(uv_cancel((uv_req_t *)&queued[1])));
    print("twice: %s", code(uv_cancel((uv_req_t *)&queued[1])));
    print("queued: %s", code(uv_cancel((uv_req_t *)&queued[3])));
    while (completed < 2) uv_run(&loop, UV_RUN_ONCE);
    print("alive %d", uv_loop_alive(&loop));

    pthread_mutex_lock(&mutex);
    running = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("completed %d", completed);
    for (int i = 0; i < 4; i++) print("%d ran: %d", i, ran[i]);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
