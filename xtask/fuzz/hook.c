/* Idle, prepare and check handles. */
#include "interp.h"

static void on_idle(uv_idle_t *idle) {
    struct node *node = node_of(idle);
    enter(node, "idle");
    /* An idle handle without fuel would keep the loop spinning. */
    if (!has_fuel(node->routine)) uv_idle_stop(idle);
    int loop = node->loop;
    world.in_idle[loop]++;
    run_routine(node->routine);
    world.in_idle[loop]--;
    leave();
}

static void on_prepare(uv_prepare_t *prepare) {
    struct node *node = node_of(prepare);
    enter(node, "prepare");
    run_routine(node->routine);
    leave();
}

static void on_check(uv_check_t *check) {
    struct node *node = node_of(check);
    enter(node, "check");
    run_routine(node->routine);
    leave();
}

static void do_idle_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (node) add_node(op, node, uv_idle_init(&world.loops[op->arg[1]], &node->uv.idle));
}

static void do_prepare_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (node) add_node(op, node, uv_prepare_init(&world.loops[op->arg[1]], &node->uv.prepare));
}

static void do_check_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (node) add_node(op, node, uv_check_init(&world.loops[op->arg[1]], &node->uv.check));
}

/* The idle, prepare or check handle of the slot. */
static struct node *hook(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_UNKNOWN_HANDLE);
    if (!node) return NULL;
    uv_handle_type type = ((uv_handle_t *)&node->uv)->type;
    if (type == UV_IDLE || type == UV_PREPARE || type == UV_CHECK) return node;
    skip(op);
    return NULL;
}

static void do_start(const struct op *op) {
    struct node *node = hook(op);
    if (!node) return;
    /* Undefined in libuv, which does not check for a closing handle: it would run after free. */
    if (world.slots[op->arg[0]].state == CLOSING) {
        skip(op);
        return;
    }
    int result = UV_EINVAL;
    switch (((uv_handle_t *)&node->uv)->type) {
    case UV_IDLE: result = uv_idle_start(&node->uv.idle, on_idle); break;
    case UV_PREPARE: result = uv_prepare_start(&node->uv.prepare, on_prepare); break;
    default: result = uv_check_start(&node->uv.check, on_check); break;
    }
    node->routine = op->arg[1];
    trace_result(op, node, result);
}

static void do_stop(const struct op *op) {
    struct node *node = hook(op);
    if (!node) return;
    int result = UV_EINVAL;
    switch (((uv_handle_t *)&node->uv)->type) {
    case UV_IDLE: result = uv_idle_stop(&node->uv.idle); break;
    case UV_PREPARE: result = uv_prepare_stop(&node->uv.prepare); break;
    default: result = uv_check_stop(&node->uv.check); break;
    }
    trace_result(op, node, result);
}

const struct verb hook_verbs[] = {
    {"idle_init", "hl", do_idle_init},
    {"prepare_init", "hl", do_prepare_init},
    {"check_init", "hl", do_check_init},
    {"hook_start", "hr", do_start},
    {"hook_stop", "h", do_stop},
    {NULL, NULL, NULL},
};
