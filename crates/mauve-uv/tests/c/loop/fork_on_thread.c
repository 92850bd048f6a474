/* A thread forks while the loop runs on another one. The child continues with the loop after
 * uv_loop_fork, though the thread that ran it does not exist there. */
#include <sys/wait.h>

#include "test.h"

static uv_loop_t loop;
static uv_timer_t timer;
static uv_async_t async;
static uv_prepare_t prepare;
static uv_work_t work;
static uv_sem_t running;
static int in_child;

static void on_timer(uv_timer_t *handle) {
    if (in_child) print("  timer");
    uv_close((uv_handle_t *)handle, NULL);
    uv_async_send(&async);
}

static void on_async(uv_async_t *handle) {
    if (in_child) print("  async");
    uv_close((uv_handle_t *)handle, NULL);
}

static void on_prepare(uv_prepare_t *handle) {
    uv_close((uv_handle_t *)handle, NULL);
    uv_sem_post(&running);
}

static void on_work(uv_work_t *request) { (void)request; }

static void after_work(uv_work_t *request, int status) {
    (void)request;
    print("  work %s", code(status));
    uv_timer_start(&timer, on_timer, 1, 0);
}

static int use_loop(void) {
    in_child = 1;
    print("  fork %s", code(uv_loop_fork(&loop)));
    print("  alive %d, timer active %d", uv_loop_alive(&loop), uv_is_active((uv_handle_t *)&timer));
    uv_queue_work(&loop, &work, on_work, after_work);
    print("  run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("  close %s", code(close_loop(&loop)));
    return 4;
}

static void on_thread(void *argument) {
    int status;
    (void)argument;
    uv_sem_wait(&running);
    /* Gives the loop time to enter the poll phase. */
    usleep(20000);
    pid_t pid = fork();
    if (pid == 0) _exit(use_loop());
    waitpid(pid, &status, 0);
    print("child %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    uv_async_send(&async);
}

int main(void) {
    uv_thread_t thread;
    uv_loop_init(&loop);
    uv_sem_init(&running, 0);
    uv_async_init(&loop, &async, on_async);
    uv_timer_init(&loop, &timer);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    uv_thread_create(&thread, on_thread, NULL);
    int alive = uv_run(&loop, UV_RUN_DEFAULT);
    uv_thread_join(&thread);
    print("run %d", alive);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
