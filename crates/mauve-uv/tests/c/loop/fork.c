/* A forked child continues with the loop after uv_loop_fork. */
#include "test.h"

#include <sys/wait.h>

static uv_loop_t loop;
static uv_async_t async;
static uv_timer_t timer;
static uv_poll_t poller;
static uv_work_t work;
static int ends[2];

static void on_timer(uv_timer_t *handle) {
    (void)handle;
    print("timer");
    uv_async_send(&async);
}

static void on_poll(uv_poll_t *handle, int status, int events) {
    print("poll %s %d", code(status), events);
    uv_close((uv_handle_t *)handle, NULL);
}

static void on_work(uv_work_t *handle) { (void)handle; }

static void after_work(uv_work_t *handle, int status) {
    (void)handle;
    print("work %s", code(status));
    assert(write(ends[1], "x", 1) == 1);
}

static void on_async(uv_async_t *handle) {
    print("async");
    uv_close((uv_handle_t *)handle, NULL);
    uv_queue_work(&loop, &work, on_work, after_work);
}

static int child(int backend) {
    print("uv_loop_fork %s", code(uv_loop_fork(&loop)));
    print("alive %d", uv_loop_alive(&loop));
    (void)backend;
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(close_loop(&loop)));
    return 7;
}

int main(void) {
    int status;
    pid_t pid;

    assert(pipe(ends) == 0);
    uv_loop_init(&loop);
    /* Starts the pool, whose threads the child does not have. */
    uv_queue_work(&loop, &work, on_work, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 10, 0);
    uv_async_init(&loop, &async, on_async);
    uv_poll_init(&loop, &poller, ends[0]);
    uv_poll_start(&poller, UV_READABLE, on_poll);
    uv_run(&loop, UV_RUN_NOWAIT);

    pid = fork();
    if (pid == 0) _exit(child(uv_backend_fd(&loop)));
    waitpid(pid, &status, 0);
    print("child %d", WEXITSTATUS(status));
    /* The child does not affect the loop of the parent. */
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
