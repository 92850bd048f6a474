/* Loops that run in another thread. The script continues after the thread has returned. */
#include "interp.h"

static const uv_run_mode modes[] = {UV_RUN_DEFAULT, UV_RUN_ONCE, UV_RUN_NOWAIT};

struct run {
    uv_loop_t *loop;
    uv_run_mode mode;
    int routine, result;
};

static void *run_in_thread(void *argument) {
    struct run *run = argument;
    is_script_thread = true;
    watch_thread();
    run_routine(run->routine);
    run->result = uv_run(run->loop, run->mode);
    return NULL;
}

/* Runs a routine and then a loop in another thread. */
static void do_run_in_thread(const struct op *op) {
    int loop = op->arg[0];
    if (!may_run(op, loop, op->arg[1])) return;
    if (world.running[loop] > 0 || world.threads >= 2) {
        skip(op);
        return;
    }
    trace_op(op, "{");
    struct run run = {&world.loops[loop], modes[op->arg[1] % 3], op->arg[2], 0};
    pthread_t thread;
    world.running[loop]++;
    world.threads++;
    if (pthread_create(&thread, NULL, run_in_thread, &run)) _exit(3);
    pthread_join(thread, NULL);
    watch_thread();
    world.threads--;
    world.running[loop]--;
    trace_op(op, "} %d", run.result);
}

const struct verb thread_verbs[] = {
    {"run_in_thread", "lnr", do_run_in_thread},
    {NULL, NULL, NULL},
};
