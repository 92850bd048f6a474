/* A child makes a loop of its own, and needs no uv_loop_fork for that; the pool works there too.
 * For an inherited loop uv_loop_fork makes a new backend. */
#include "say.h"

#include <sys/stat.h>
#include <sys/wait.h>

static uv_loop_t parent;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    say("timer");
}

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    (void)work;
    say("work %s", code(status));
}

static void on_async(uv_async_t *async) {
    say("async");
    uv_close((uv_handle_t *)async, NULL);
}

static void use(uv_loop_t *loop) {
    uv_timer_t timer;
    uv_async_t async;
    uv_work_t work;

    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_timer, 1, 0);
    say("run %d", uv_run(loop, UV_RUN_DEFAULT));
    uv_async_init(loop, &async, on_async);
    uv_async_send(&async);
    say("run %d", uv_run(loop, UV_RUN_DEFAULT));
    uv_queue_work(loop, &work, on_work, after_work);
    say("run %d", uv_run(loop, UV_RUN_DEFAULT));
    uv_close((uv_handle_t *)&timer, NULL);
    say("run %d", uv_run(loop, UV_RUN_DEFAULT));
}

int main(void) {
    int status;
    pid_t pid;

    uv_loop_init(&parent);
    use(&parent);
    pid = fork();
    if (pid == 0) {
        uv_loop_t fresh;
        say("fresh loop");
        uv_loop_init(&fresh);
        use(&fresh);
        say("close %s", code(uv_loop_close(&fresh)));
        say("inherited loop");
        say("uv_loop_fork %s", code(uv_loop_fork(&parent)));
        use(&parent);
        say("close %s", code(uv_loop_close(&parent)));
        _exit(3);
    }
    waitpid(pid, &status, 0);
    say("child %d", WEXITSTATUS(status));
    say("parent");
    use(&parent);
    say("close %s", code(uv_loop_close(&parent)));
    return 0;
}
