/* Forked children. The child runs a routine and exits; then the script continues. */
#include "interp.h"

#include <sys/wait.h>

/* "A wake-up that is pending at a fork" in docs/switching.md. */
static bool is_notified(void) {
    for (int i = 0; i < SLOTS; i++) {
        struct node *node = world.slots[i].node;
        if (world.slots[i].state != OPEN || ((uv_handle_t *)&node->uv)->type != UV_ASYNC) continue;
        if (node->notified) return true;
    }
    return false;
}

static void do_fork(const struct op *op) {
    /* "Children that wake a loop" in docs/switching.md. */
    bool stray = has_verb("spawn");
    if (world.is_child || is_notified() || (stray && counts_iterations())) {
        skip(op);
        return;
    }
    world.stray_exits |= stray;
    trace_op(op, "{");
    pid_t child = fork();
    if (child < 0) _exit(3);
    if (child == 0) {
        world.is_child = true;
        start_watchdog();
        run_routine(op->arg[0]);
        _exit(0);
    }
    int status = 0;
    atomic_fetch_add(&waiting, 1);
    while (waitpid(child, &status, 0) != child && errno == EINTR) continue;
    atomic_fetch_sub(&waiting, 1);
    if (WIFSIGNALED(status)) {
        trace_op(op, "} signal %d", WTERMSIG(status));
    } else {
        trace_op(op, "} %d", WEXITSTATUS(status));
    }
}

/* Only in a child, and only for a loop that is not running. */
static void do_loop_fork(const struct op *op) {
    if (!usable(op, op->arg[0])) return;
    if (!world.is_child || world.running[op->arg[0]] > 0) {
        skip(op);
        return;
    }
    int result = uv_loop_fork(&world.loops[op->arg[0]]);
    world.forked[op->arg[0]] = result == 0;
    trace_op(op, "%s", code(result));
}

const struct verb fork_verbs[] = {
    {"fork", "r", do_fork},
    {"loop_fork", "l", do_loop_fork},
    {NULL, NULL, NULL},
};
