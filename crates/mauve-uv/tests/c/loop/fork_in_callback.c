/* A callback forks, and the child continues the same uv_run, with and without uv_loop_fork: the
 * rest of the iteration follows, and the pool works. */
#include <sys/wait.h>

#include "test.h"

static uv_loop_t loop;
static uv_idle_t idle;
static uv_check_t check;
static uv_work_t work;
static int calls_fork, is_child;

static void on_work(uv_work_t *request) { (void)request; }

static void after_child_work(uv_work_t *request, int status) {
    (void)request;
    print("  work %s", code(status));
}

static void on_check(uv_check_t *handle) {
    print("%scheck", is_child ? "  " : "");
    uv_close((uv_handle_t *)handle, NULL);
}

static void on_idle(uv_idle_t *handle) {
    uv_close((uv_handle_t *)handle, NULL);
}

static void after_work(uv_work_t *request, int status) {
    int ended;
    print("work %s", code(status));
    pid_t pid = fork();
    if (pid == 0) {
        is_child = 1;
        if (calls_fork) print("  fork %s", code(uv_loop_fork(&loop)));
        uv_idle_init(&loop, &idle);
        uv_idle_start(&idle, on_idle);
        uv_queue_work(&loop, request, on_work, after_child_work);
        return;
    }
    waitpid(pid, &ended, 0);
    print("child %d", WIFEXITED(ended) ? WEXITSTATUS(ended) : -1);
}

int main(void) {
    for (calls_fork = 0; calls_fork < 2; calls_fork++) {
        print("with uv_loop_fork %d", calls_fork);
        uv_loop_init(&loop);
        uv_check_init(&loop, &check);
        uv_check_start(&check, on_check);
        uv_unref((uv_handle_t *)&check);
        uv_queue_work(&loop, &work, on_work, after_work);
        int alive = uv_run(&loop, UV_RUN_DEFAULT);
        print("%srun %d", is_child ? "  " : "", alive);
        print("%sclose %s", is_child ? "  " : "", code(close_loop(&loop)));
        if (is_child) _exit(5);
    }
    return 0;
}
