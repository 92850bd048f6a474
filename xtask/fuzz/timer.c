/* Timers. Due times are whole ticks of the virtual clock. */
#include "interp.h"

static void on_timer(uv_timer_t *timer) {
    struct node *node = node_of(timer);
    enter(node, "timer");
    /* A repeating timer without fuel would keep the loop alive. */
    if (!has_fuel(node->routine)) uv_timer_stop(timer);
    run_routine(node->routine);
    leave();
}

static void do_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (node) add_node(op, node, uv_timer_init(&world.loops[op->arg[1]], &node->uv.timer));
}

/* The timer to start. */
static struct node *timer_of(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_TIMER);
    if (!node || stack.in_fs_poll == 0) return node;
    /* "uv_fs_poll_t" in docs/switching.md. */
    skip(op);
    return NULL;
}

static void do_start(const struct op *op) {
    struct node *node = timer_of(op);
    if (!node) return;
    uv_timer_t *timer = &node->uv.timer;
    int repeat = op->arg[2];
    int result = uv_timer_start(timer, on_timer, timeout_of(timer->loop, op->arg[1]),
                                (uint64_t)repeat * TICK_MS);
    if (result == 0) {
        node->routine = op->arg[3];
        node->repeat = repeat;
    }
    trace_result(op, node, result);
}

static void do_stop(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_TIMER);
    if (node) trace_result(op, node, uv_timer_stop(&node->uv.timer));
}

static void do_again(const struct op *op) {
    struct node *node = timer_of(op);
    if (!node) return;
    uv_timer_t *timer = &node->uv.timer;
    int result = uv_timer_again(timer);
    trace_result(op, node, result);
}

static void do_repeat(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_TIMER);
    if (!node) return;
    uv_timer_set_repeat(&node->uv.timer, (uint64_t)op->arg[1] * TICK_MS);
    node->repeat = op->arg[1];
    trace_op(op, "%d [%s]", (int)(uv_timer_get_repeat(&node->uv.timer) / TICK_MS), flags(node));
}

static void do_due(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_TIMER);
    if (!node || world.slots[op->arg[0]].state == CLOSING) return;
    if (!uv_is_active((uv_handle_t *)&node->uv)) return;
    trace_op(op, "%s", uv_timer_get_due_in(&node->uv.timer) > 0 ? "later" : "now");
}

const struct verb timer_verbs[] = {
    {"timer_init", "hl", do_init},    {"timer_start", "hnnr", do_start}, {"timer_stop", "h", do_stop},
    {"timer_again", "h", do_again},   {"timer_repeat", "hn", do_repeat}, {"timer_due", "h", do_due},
    {NULL, NULL, NULL},
};
