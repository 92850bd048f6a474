/* UV_THREADPOOL_SIZE: the number of work callbacks that run in parallel. */
#include "test.h"

#include <sys/wait.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int expected, running, max_running;

static void on_work(uv_work_t *work) {
    struct timespec until;
    (void)work;
    pthread_mutex_lock(&mutex);
    running++;
    if (running > max_running) max_running = running;
    pthread_cond_broadcast(&changed);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    while (max_running < expected && pthread_cond_timedwait(&changed, &mutex, &until) == 0) {
    }
    pthread_mutex_unlock(&mutex);
    /* Time for one too many to start. */
    usleep(10000);
    pthread_mutex_lock(&mutex);
    running--;
    pthread_mutex_unlock(&mutex);
}

static void print_pool_size(const char *value, int count) {
    uv_work_t works[16];
    uv_loop_t loop;

    expected = count;
    setenv("UV_THREADPOOL_SIZE", value, 1);
    uv_loop_init(&loop);
    for (int i = 0; i < count + 2; i++) uv_queue_work(&loop, &works[i], on_work, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("'%s': %d in parallel", value, max_running);
    print("close %s", code(uv_loop_close(&loop)));
}

int main(void) {
    static const struct {
        const char *value;
        int count;
    } cases[] = {{"1", 1}, {"2", 2}, {"9", 9}, {"0", 1}, {"", 1}, {"many", 1}, {"3 or so", 3},
                 {"+3", 3}, {"-", 1}, {"-0", 1}, {"4294967298", 2}};

    /* The pool is created once per process. */
    for (size_t i = 0; i < COUNT(cases); i++) {
        pid_t pid = fork();
        if (pid == 0) {
            print_pool_size(cases[i].value, cases[i].count);
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    return 0;
}
