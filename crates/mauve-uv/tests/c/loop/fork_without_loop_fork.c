/* A daemon forks several times and continues with its loop without uv_loop_fork. Signals, timers,
 * async handles and the pool work, although the pool threads were started before. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "test.h"

static uv_loop_t loop;
static uv_signal_t terminate;
static uv_async_t async;
static uv_timer_t timer;
static uv_work_t works[8];
static uv_fs_t request;
static char buffer[4];
static uv_buf_t bytes;
static int remaining;

/* Printed at the end, because the order of the callbacks varies. */
static int seen_async, seen_signal, works_done, bytes_read;

static void count_down(void) {
    if (--remaining == 0) uv_stop(&loop);
}

static void on_terminate(uv_signal_t *handle, int number) {
    seen_signal = number == SIGTERM;
    uv_close((uv_handle_t *)handle, NULL);
    count_down();
}

static void on_async(uv_async_t *handle) {
    seen_async = 1;
    uv_close((uv_handle_t *)handle, NULL);
    count_down();
}

static void on_timer(uv_timer_t *handle) {
    uv_close((uv_handle_t *)handle, NULL);
    kill(getpid(), SIGTERM);
    count_down();
}

static void on_work(uv_work_t *work) { (void)work; }

static void on_slow_work(uv_work_t *work) {
    (void)work;
    usleep(5000);
}

static void after_work(uv_work_t *work, int status) {
    (void)work;
    works_done += status == 0;
    count_down();
}

static void on_read(uv_fs_t *read) {
    bytes_read = (int)read->result;
    uv_fs_req_cleanup(read);
    count_down();
}

static int use_loop(void) {
    uv_file file = open("/proc/self/exe", 0);
    remaining = 3 + 8 + 1;
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 1, 0);
    uv_async_send(&async);
    for (int i = 0; i < 8; i++) uv_queue_work(&loop, &works[i], on_work, after_work);
    bytes = uv_buf_init(buffer, sizeof buffer);
    uv_fs_read(&loop, &request, file, &bytes, 1, 0, on_read);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  async %d, signal %d, works %d, bytes %d", seen_async, seen_signal, works_done,
          bytes_read);
    print("  close %s", code(close_loop(&loop)));
    return 7;
}

static void fork_daemon(int generations) {
    int status;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        if (generations == 1) _exit(use_loop());
        fork_daemon(generations - 1);
        _exit(7);
    }
    waitpid(pid, &status, 0);
    print("generation %d: %d", generations, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

int main(void) {
    uv_loop_init(&loop);
    remaining = 8;
    for (int i = 0; i < 8; i++) uv_queue_work(&loop, &works[i], on_slow_work, after_work);
    uv_run(&loop, UV_RUN_DEFAULT);
    works_done = 0;
    uv_signal_init(&loop, &terminate);
    uv_signal_start(&terminate, on_terminate, SIGTERM);
    uv_async_init(&loop, &async, on_async);
    fork_daemon(1);
    fork_daemon(2);
    fork_daemon(3);
    print("the parent");
    use_loop();
    return 0;
}
