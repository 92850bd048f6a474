/* How many pieces of work run at once, by the value of UV_THREADPOOL_SIZE. */
#include "say.h"

#include <sys/wait.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int expected, running, most;

static void on_work(uv_work_t *work) {
    struct timespec until;
    (void)work;
    pthread_mutex_lock(&mutex);
    running++;
    if (running > most) most = running;
    pthread_cond_broadcast(&changed);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    while (most < expected && pthread_cond_timedwait(&changed, &mutex, &until) == 0) {
    }
    pthread_mutex_unlock(&mutex);
    /* Time for one too many to show up. */
    usleep(10000);
    pthread_mutex_lock(&mutex);
    running--;
    pthread_mutex_unlock(&mutex);
}

static void measure(const char *value, int count) {
    uv_work_t works[16];
    uv_loop_t loop;

    expected = count;
    setenv("UV_THREADPOOL_SIZE", value, 1);
    uv_loop_init(&loop);
    for (int i = 0; i < count + 2; i++) uv_queue_work(&loop, &works[i], on_work, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("'%s': %d at once", value, most);
    say("close %s", code(uv_loop_close(&loop)));
}

int main(void) {
    static const struct {
        const char *value;
        int count;
    } cases[] = {{"1", 1}, {"2", 2}, {"9", 9}, {"0", 1}, {"", 1}, {"many", 1}, {"3 or so", 3}};

    /* The pool is made once in a process. */
    for (size_t i = 0; i < COUNT(cases); i++) {
        pid_t pid = fork();
        if (pid == 0) {
            measure(cases[i].value, cases[i].count);
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    return 0;
}
