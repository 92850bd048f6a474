/* A forked child initialises a new loop, without uv_loop_fork, and the pool works there too. For
 * an inherited loop uv_loop_fork creates a new backend descriptor. */
#include "test.h"

#include <sys/stat.h>
#include <sys/wait.h>

static uv_loop_t parent;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    print("timer");
}

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    (void)work;
    print("work %s", code(status));
}

static void on_async(uv_async_t *async) {
    print("async");
    uv_close((uv_handle_t *)async, NULL);
}

static void use_loop(uv_loop_t *loop) {
    uv_timer_t timer;
    uv_async_t async;
    uv_work_t work;

    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_timer, 1, 0);
    print("run %d", uv_run(loop, UV_RUN_DEFAULT));
    uv_async_init(loop, &async, on_async);
    uv_async_send(&async);
    print("run %d", uv_run(loop, UV_RUN_DEFAULT));
    uv_queue_work(loop, &work, on_work, after_work);
    print("run %d", uv_run(loop, UV_RUN_DEFAULT));
    uv_close((uv_handle_t *)&timer, NULL);
    print("run %d", uv_run(loop, UV_RUN_DEFAULT));
}

int main(void) {
    int status;
    pid_t pid;

    uv_loop_init(&parent);
    use_loop(&parent);
    pid = fork();
    if (pid == 0) {
        uv_loop_t new_loop;
        print("new loop");
        uv_loop_init(&new_loop);
        use_loop(&new_loop);
        print("close %s", code(uv_loop_close(&new_loop)));
        print("inherited loop");
        print("uv_loop_fork %s", code(uv_loop_fork(&parent)));
        use_loop(&parent);
        print("close %s", code(uv_loop_close(&parent)));
        _exit(3);
    }
    waitpid(pid, &status, 0);
    print("child %d", WEXITSTATUS(status));
    print("parent");
    use_loop(&parent);
    print("close %s", code(uv_loop_close(&parent)));
    return 0;
}
