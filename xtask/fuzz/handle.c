/* Operations on all kinds of handles: allocation, close, ref, unref. */
#include "interp.h"

/* By slot, because libuv orders signal handles by address. */
static struct node nodes[SLOTS];

struct node *node_of(const void *handle) { return ((const uv_handle_t *)handle)->data; }

/* Allocates a handle for initialisation. Skips the operation and returns NULL if the slot is in use
 * or the loop is closed. */
struct node *new_node(const struct op *op, int slot, int loop) {
    enum state state = owns_slot(slot) ? world.slots[slot].state : OPEN;
    if (state == OPEN || state == CLOSING) {
        skip(op);
        return NULL;
    }
    if (!usable(op, loop)) return NULL;
    struct node *node = &nodes[slot];
    memset(node, 0xa5, sizeof *node);
    node->slot = slot;
    node->loop = loop;
    node->routine = node->on_close = 0;
    node->repeat = node->buffer = node->connecting = 0;
    node->unaccepted = node->listens = node->runs = node->exited = node->reported = false;
    node->notified = false;
    node->fds[0] = node->fds[1] = -1;
    return node;
}

/* Stores an initialised handle in its slot. */
void add_node(const struct op *op, struct node *node, int result) {
    if (result != 0) {
        trace_op(op, "%s", code(result));
        return;
    }
    ((uv_handle_t *)&node->uv)->data = node;
    world.slots[node->slot] = (struct slot){OPEN, node};
    trace_result(op, node, result);
}

/* The open or closing handle of a slot, of a given type; UV_UNKNOWN_HANDLE accepts all types. Skips
 * the operation and returns NULL if there is none. */
struct node *node_at(const struct op *op, int slot, uv_handle_type type) {
    struct node *node = owns_slot(slot) ? world.slots[slot].node : NULL;
    enum state state = node ? world.slots[slot].state : NEVER;
    bool fits = (state == OPEN || state == CLOSING) &&
                (type == UV_UNKNOWN_HANDLE || ((uv_handle_t *)&node->uv)->type == type);
    if (fits) return node;
    skip(op);
    return NULL;
}

static void on_close(uv_handle_t *handle) {
    struct node *node = node_of(handle);
    int routine = node->on_close;
    enter(node, "close");
    world.slots[node->slot] = (struct slot){CLOSED, NULL};
    for (int i = 0; i < 2; i++) {
        if (node->fds[i] >= 0) close(node->fds[i]);
    }
    memset(node, 0x5a, sizeof *node);
    run_routine(routine);
    leave();
}

void close_node(struct node *node, int routine) {
    node->on_close = routine;
    node->notified = false;
    world.slots[node->slot].state = CLOSING;
    uv_close((uv_handle_t *)&node->uv, on_close);
}

/* uv_tcp_close_reset. */
int reset_node(struct node *node, int routine) {
    int result = uv_tcp_close_reset(&node->uv.tcp, on_close);
    if (result == 0) {
        node->on_close = routine;
        world.slots[node->slot].state = CLOSING;
    }
    return result;
}

/* Whether it is a process whose exit was not reported, in the exit callback of another process. */
static bool is_unreported(const struct node *node) {
    return ((const uv_handle_t *)&node->uv)->type == UV_PROCESS && stack.in_exit > 0 &&
           !node->reported;
}

static void do_close(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_UNKNOWN_HANDLE);
    if (!node) return;
    if (world.slots[op->arg[0]].state == CLOSING) {
        /* "uv_close called twice on a handle" in docs/switching.md. */
        skip(op);
        return;
    }
    /* "Children that exit in callbacks" and "uv_fs_poll_t" in docs/switching.md. */
    bool polls = ((uv_handle_t *)&node->uv)->type == UV_FS_POLL && stack.in_fs_poll > 0;
    /* "A forked child that uses a loop" there: libuv deregisters the descriptor in the parent. */
    bool inherited = world.is_child && !world.forked[node->loop];
    if (is_unreported(node) || polls || inherited) {
        skip(op);
        return;
    }
    close_node(node, op->arg[1]);
    trace_op(op, "[%s]", flags(node));
}

static void do_ref(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_UNKNOWN_HANDLE);
    if (!node) return;
    uv_ref((uv_handle_t *)&node->uv);
    trace_op(op, "[%s]", flags(node));
}

static void do_unref(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_UNKNOWN_HANDLE);
    if (!node) return;
    uv_unref((uv_handle_t *)&node->uv);
    trace_op(op, "[%s]", flags(node));
}

static void do_state(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_UNKNOWN_HANDLE);
    if (!node) return;
    const uv_handle_t *handle = (const uv_handle_t *)&node->uv;
    trace_op(op, "[%s] %s of l%d", flags(node), uv_handle_type_name(uv_handle_get_type(handle)),
             (int)(uv_handle_get_loop(handle) - world.loops));
}

const struct verb handle_verbs[] = {
    {"close", "hr", do_close}, {"ref", "h", do_ref}, {"unref", "h", do_unref},
    {"state", "h", do_state},  {NULL, NULL, NULL},
};
