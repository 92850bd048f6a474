/* Loops: initialised and closed repeatedly, in a thread, and in a forked child. */
#include "workload.h"

enum { LOOPS = 3, LOST = 255 };

static uv_loop_t loop;
static int timers, asyncs;
static uv_async_t async;

static void on_timer(uv_timer_t *timer) {
    timers++;
    uv_close(HANDLE(timer), NULL);
}

static void on_async(uv_async_t *handle) {
    asyncs++;
    uv_close(HANDLE(handle), NULL);
}

static void use(uv_loop_t *some) {
    uv_timer_t timer;
    uv_async_t own;
    check("configure", uv_loop_configure(some, UV_METRICS_IDLE_TIME));
    check("timer_init", uv_timer_init(some, &timer));
    check("timer_start", uv_timer_start(&timer, on_timer, 1, 0));
    if (check("async_init", uv_async_init(some, &own, on_async)) == 0) {
        check("async_send", uv_async_send(&own));
    }
    if (uv_backend_fd(some) < 0) lost("the backend's descriptor");
    uv_run(some, UV_RUN_DEFAULT);
    if (uv_loop_close(some) != 0) lost("a loop: it does not close");
}

static void made_and_closed(void) {
    for (int i = 0; i < LOOPS; i++) {
        uv_loop_t one;
        if (check("loop_init", uv_loop_init(&one)) == 0) use(&one);
    }
}

static void in_thread(void *argument) {
    uv_loop_t one;
    (void)argument;
    if (check("loop_init", uv_loop_init(&one)) == 0) use(&one);
}

/* The child's exit code is an errno value, or LOST. */
static void forked(void) {
    set_injection(0);
    int before = asyncs;
    pid_t pid = fork();
    if (pid == 0) {
        /* The error that the parent has reported must not end the handles of the child. */
        uv_timer_stop(&deadline);
        set_injection(1);
        int result = uv_loop_fork(&loop);
        if (result == 0) result = uv_async_send(&async);
        if (result != 0) _exit(-result);
        uv_run(&loop, UV_RUN_DEFAULT);
        _exit(asyncs == before + 1 ? 0 : LOST);
    }
    int status;
    assert(pid > 0 && waitpid(pid, &status, 0) == pid);
    set_injection(1);
    if (WIFSIGNALED(status) || WEXITSTATUS(status) == LOST) lost("a wake-up in the child");
    else if (WEXITSTATUS(status) != 0) record_error("loop_fork", -WEXITSTATUS(status));
}

int main(void) {
    uv_thread_t thread;
    set_injection(1);
    if (init_loop(&loop)) {
        made_and_closed();
        int result = uv_thread_create(&thread, in_thread, NULL);
        if (check("thread_create", result) == 0) uv_thread_join(&thread);
        if (check("async_init", uv_async_init(&loop, &async, on_async)) == 0) {
            forked();
            check("async_send", uv_async_send(&async));
        }
        finish_loop(&loop);
        complete("timers", timers == LOOPS + 1);
        complete("wake-ups", asyncs == LOOPS + 2);
    }
    return exit_code();
}
