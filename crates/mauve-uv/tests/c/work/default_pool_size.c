/* The pool has four threads by default: four work callbacks run in parallel. */
#include "test.h"

static uv_work_t works[12];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int running, max_running, completed;

static void on_work(uv_work_t *work) {
    struct timespec until;
    (void)work;
    pthread_mutex_lock(&mutex);
    running++;
    if (running > max_running) max_running = running;
    pthread_cond_broadcast(&changed);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    /* The first four wait for each other, at most five seconds; the others do not wait. */
    while (max_running < 4 && pthread_cond_timedwait(&changed, &mutex, &until) == 0) {
    }
    pthread_mutex_unlock(&mutex);
    usleep(2000);
    pthread_mutex_lock(&mutex);
    running--;
    pthread_mutex_unlock(&mutex);
}

static void after_work(uv_work_t *work, int status) {
    (void)work;
    (void)status;
    completed++;
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(works); i++) uv_queue_work(&loop, &works[i], on_work, after_work);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("parallel %d, completed %d", max_running, completed);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
