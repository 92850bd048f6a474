/* Child processes. An operation that makes a child exit waits for the exit. */
#include "interp.h"

#include <signal.h>

static char *const commands[][4] = {
    {"/bin/true", NULL},
    {"/bin/sh", "-c", "exit 3", NULL},
    {"/bin/sh", "-c", "kill -9 $$", NULL},
    {"/no-such-program", NULL},
    /* Runs until it is killed, at most as long as the interpreter. */
    {"/bin/sleep", "8", NULL},
};

enum { SLEEPS = 4 };

static void on_exit_of(uv_process_t *process, int64_t status, int signal) {
    struct node *node = node_of(process);
    char text[40];
    snprintf(text, sizeof text, " status %d signal %d", (int)status, signal);
    node->reported = true;
    enter_data(node, "exit", 0, text);
    stack.in_exit++;
    run_routine(node->routine);
    stack.in_exit--;
    leave();
}

static void on_first_exit(uv_process_t *process, int64_t status, int signal) {
    (void)status, (void)signal;
    uv_close((uv_handle_t *)process, NULL);
}

/* libuv 1.52 starts a child of its own before the first one of the process, whose end wakes the
 * loop without a callback: "Children that wake a loop" in docs/switching.md. */
void start_first_child(uv_loop_t *loop) {
    static uv_process_t process;
    if (!has_verb("spawn")) return;
    uv_process_options_t options = {
        .file = commands[0][0], .args = (char **)commands[0], .exit_cb = on_first_exit};
    if (uv_spawn(loop, &process, &options) != 0) _exit(3);
    await_child(uv_process_get_pid(&process));
    uv_run(loop, UV_RUN_DEFAULT);
}

/* Whether a signal is pending: "A signal and an exit in one poll phase" in docs/switching.md. */
static bool is_signal_pending(void) {
    for (int i = 0; i < SLOTS; i++) {
        struct node *node = world.slots[i].node;
        if (world.slots[i].state != OPEN || ((uv_handle_t *)&node->uv)->type != UV_SIGNAL) continue;
        if (node->notified) return true;
    }
    return false;
}

static void do_spawn(const struct op *op) {
    int which = op->arg[2] % 5;
    bool stray = op->arg[1] != world.parent;
    /* "Children that exit in callbacks" and "Children that wake a loop" in docs/switching.md. */
    if (stack.callbacks > 0 || (stray && counts_iterations()) || is_signal_pending()) {
        skip(op);
        return;
    }
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (!node) return;
    uv_process_options_t options = {
        .file = commands[which][0], .args = (char **)commands[which], .exit_cb = on_exit_of};
    node->routine = op->arg[3];
    ((uv_handle_t *)&node->uv)->data = node;
    int result = uv_spawn(&world.loops[op->arg[1]], &node->uv.process, &options);
    /* The handle must be closed even if uv_spawn failed. */
    world.slots[node->slot] = (struct slot){OPEN, node};
    trace_result(op, node, result);
    world.stray_exits |= stray;
    node->exited = result == 0 && which != SLEEPS;
    if (node->exited) await_child(uv_process_get_pid(&node->uv.process));
    node->runs = result == 0 && which == SLEEPS;
}

/* Kills the children that the script has not killed. */
void kill_children(void) {
    for (int i = 0; i < SLOTS; i++) {
        struct node *node = world.slots[i].node;
        if (!node || !node->runs) continue;
        kill(uv_process_get_pid(&node->uv.process), SIGKILL);
        await_child(uv_process_get_pid(&node->uv.process));
    }
}

static const int signals[] = {SIGTERM, SIGKILL, 0, 1000};

static void do_kill(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_PROCESS);
    if (!node) return;
    /* A process that failed to start has pid 0: the signal would reach this process group. An exited
     * process may still be a zombie. A forked child cannot wait for it. Otherwise: "Children that exit in callbacks" and "Children that
     * wake a loop" in docs/switching.md. */
    if (!node->runs || world.is_child || stack.callbacks > 0 || is_signal_pending() ||
        (world.slots[node->slot].state == CLOSING && counts_iterations())) {
        skip(op);
        return;
    }
    int number = signals[op->arg[1] % 4];
    int result = uv_process_kill(&node->uv.process, number);
    trace_result(op, node, result);
    if (result == 0 && number != 0) {
        node->runs = false;
        node->exited = true;
        await_child(uv_process_get_pid(&node->uv.process));
    }
}

const struct verb process_verbs[] = {
    {"spawn", "hlnr", do_spawn},
    {"process_kill", "hn", do_kill},
    {NULL, NULL, NULL},
};
