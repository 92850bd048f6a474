/* A debugger keeps an exited child from being reaped: the loop waits and does not spin. */
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "child.h"

static uv_timer_t timer;
static uv_prepare_t prepare;
static int iterations, release[2], attached[2], start[2];

static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    iterations++;
}

static void on_timer(uv_timer_t *handle) {
    print("few iterations %d, the child is active %d", iterations < 200,
          uv_is_active((uv_handle_t *)&child));
    assert(write(release[1], "x", 1) == 1);
    uv_close((uv_handle_t *)handle, NULL);
    uv_close((uv_handle_t *)&prepare, NULL);
}

/* Attaches to the child, and reaps it when `release` is written. */
static void debug(pid_t pid) {
    char byte;
    int traced = ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0;
    assert(write(attached[1], traced ? "y" : "n", 1) == 1);
    assert(read(release[0], &byte, 1) == 1);
    if (traced) waitpid(pid, NULL, 0);
    _exit(0);
}

int main(int argc, char **argv) {
    char byte;
    if (argc > 1) {
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
        assert(write(1, "x", 1) == 1);
        assert(read(0, &byte, 1) == 1);
        return 3;
    }
    char *args[] = {argv[0], "child", NULL};
    int ready[2];
    prepare_child();
    assert(!pipe(release) && !pipe(attached) && !pipe(start) && !pipe(ready));
    options.file = "/proc/self/exe";
    options.args = args;
    stdio[0].data.fd = start[0];
    stdio[1].data.fd = ready[1];
    print("spawn %s", code(uv_spawn(&loop, &child, &options)));
    assert(read(ready[0], &byte, 1) == 1);
    fflush(stdout);
    pid_t debugger = fork();
    if (debugger == 0) debug(child.pid);
    assert(read(attached[0], &byte, 1) == 1);
    int traced = byte == 'y';
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 50, 0);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    assert(write(start[1], "x", 1) == 1);
    if (!traced) print("ptrace is not permitted");
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    waitpid(debugger, NULL, 0);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
