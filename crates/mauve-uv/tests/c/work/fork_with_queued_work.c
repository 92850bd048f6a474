/* Work is queued when the process forks: the child can cancel it and run new work. Work that a
 * thread of the parent runs never completes in the child. */
#include <sys/wait.h>

#include "test.h"

static uv_loop_t loop;
static uv_work_t works[6], last;
static uv_sem_t started, unblocked;

static void on_blocking(uv_work_t *work) {
    (void)work;
    uv_sem_post(&started);
    uv_sem_wait(&unblocked);
}

static void after_work(uv_work_t *work, int status) {
    print("  work %d: %s", (int)(work - works), code(status));
}

static void on_work(uv_work_t *work) { (void)work; }

static void after_last(uv_work_t *work, int status) {
    (void)work;
    print("  new work %s", code(status));
    uv_stop(&loop);
}

static void after_ignored(uv_work_t *work, int status) {
    (void)work;
    (void)status;
}

static int in_child(int calls_fork) {
    if (calls_fork) print("  fork %s", code(uv_loop_fork(&loop)));
    print("  cancel running: %s", code(uv_cancel((uv_req_t *)&works[0])));
    print("  cancel queued: %s", code(uv_cancel((uv_req_t *)&works[4])));
    print("  cancel again: %s", code(uv_cancel((uv_req_t *)&works[4])));
    uv_run(&loop, UV_RUN_ONCE);
    uv_queue_work(&loop, &last, on_work, after_last);
    print("  run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("  close %s", code(uv_loop_close(&loop)));
    return 6;
}

int main(void) {
    int status;
    setenv("UV_THREADPOOL_SIZE", "4", 1);
    uv_loop_init(&loop);
    uv_sem_init(&started, 0);
    uv_sem_init(&unblocked, 0);
    for (int i = 0; i < 6; i++)
        uv_queue_work(&loop, &works[i], on_blocking, i == 4 ? after_work : after_ignored);
    for (int i = 0; i < 4; i++) uv_sem_wait(&started);
    for (int calls_fork = 0; calls_fork < 2; calls_fork++) {
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) _exit(in_child(calls_fork));
        waitpid(pid, &status, 0);
        print("child %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    }
    for (int i = 0; i < 6; i++) uv_sem_post(&unblocked);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
