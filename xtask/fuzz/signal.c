/* Signal handles. The script raises signals only while a handler is installed. */
#include "interp.h"

#include <signal.h>

static const int numbers[] = {SIGUSR1, SIGUSR2, SIGHUP};

static struct node *signal_of(const struct op *op) { return node_at(op, op->arg[0], UV_SIGNAL); }

static void do_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (node) add_node(op, node, uv_signal_init(&world.loops[op->arg[1]], &node->uv.signal));
}

static void on_signal(uv_signal_t *handle, int number) {
    struct node *node = node_of(handle);
    char text[40];
    node->notified = false;
    snprintf(text, sizeof text, " number %d of %d", number, handle->signum);
    enter_data(node, "signal", 0, text);
    run_routine(node->routine);
    leave();
}

static void do_start(const struct op *op) {
    struct node *node = signal_of(op);
    if (!node) return;
    /* libuv aborts for a closing handle. */
    if (world.slots[op->arg[0]].state == CLOSING) {
        skip(op);
        return;
    }
    node->routine = op->arg[2];
    int result = uv_signal_start(&node->uv.signal, on_signal, numbers[op->arg[1] % 3]);
    trace_result(op, node, result);
}

/* Only for a signal without other handles, and once per signal: "Two one-shot handles for one signal"
 * in docs/switching.md. */
static void do_start_oneshot(const struct op *op) {
    static bool used[3];
    struct node *node = signal_of(op);
    if (!node) return;
    struct sigaction installed;
    int number = numbers[op->arg[1] % 3];
    sigaction(number, NULL, &installed);
    bool is_free = installed.sa_handler == SIG_DFL && !used[op->arg[1] % 3];
    if (world.slots[op->arg[0]].state == CLOSING || !is_free) {
        skip(op);
        return;
    }
    used[op->arg[1] % 3] = true;
    node->routine = op->arg[2];
    trace_result(op, node, uv_signal_start_oneshot(&node->uv.signal, on_signal, number));
}

static void do_stop(const struct op *op) {
    struct node *node = signal_of(op);
    if (!node) return;
    trace_result(op, node, uv_signal_stop(&node->uv.signal));
}

/* Marks the handles that the signal is for. */
static void note_signal(int number) {
    for (int i = 0; i < SLOTS; i++) {
        struct node *node = world.slots[i].node;
        if (world.slots[i].state != OPEN || ((uv_handle_t *)&node->uv)->type != UV_SIGNAL) continue;
        if (node->uv.signal.signum == number) node->notified = true;
    }
}

/* Whether the exit of a child is pending. */
static bool is_exit_pending(void) {
    for (int i = 0; i < SLOTS; i++) {
        struct node *node = world.slots[i].node;
        if (world.slots[i].state == OPEN && node->exited && !node->reported) return true;
    }
    return false;
}

static void do_raise(const struct op *op) {
    struct sigaction installed;
    int number = numbers[op->arg[0] % 3];
    sigaction(number, NULL, &installed);
    /* libuv reads the signal pipe again after exit callbacks: "Children that exit in callbacks" in
     * docs/switching.md. */
    /* "Signals raised in callbacks" in docs/switching.md. */
    bool repeated = stack.callbacks > 0 && has_verb("signal_start_oneshot");
    /* "A signal and an exit in one poll phase" in docs/switching.md. */
    if (stack.in_exit > 0 || repeated || is_exit_pending()) {
        skip(op);
        return;
    }
    if (installed.sa_handler == SIG_DFL) {
        trace_op(op, "no handler");
        return;
    }
    note_signal(number);
    trace_op(op, "%d", raise(number));
}

const struct verb signal_verbs[] = {
    {"signal_init", "hl", do_init},
    {"signal_start", "hnr", do_start},
    {"signal_start_oneshot", "hnr", do_start_oneshot},
    {"signal_stop", "h", do_stop},
    {"raise", "n", do_raise},
    {NULL, NULL, NULL},
};
