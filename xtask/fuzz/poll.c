/* Poll handles, each on one socket of a pair. The script writes to the other socket. */
#include "interp.h"

#include <sys/socket.h>

static struct node *poll_of(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_POLL);
    if (!node) return NULL;
    if (world.slots[op->arg[0]].state == OPEN) return node;
    skip(op);
    return NULL;
}

static void do_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (!node) return;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, node->fds)) _exit(3);
    add_node(op, node, uv_poll_init(&world.loops[op->arg[1]], &node->uv.poll, node->fds[0]));
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    struct node *node = node_of(poll);
    char text[20];
    snprintf(text, sizeof text, " events %d", events);
    enter_data(node, "poll", status, text);
    /* Level-triggered: it would be reported in every iteration. */
    if (!has_fuel(node->routine)) uv_poll_stop(poll);
    run_routine(node->routine);
    leave();
}

static void do_start(const struct op *op) {
    struct node *node = poll_of(op);
    if (!node) return;
    /* "Nested runs" in docs/switching.md. */
    if (world.running[node->loop] > 0 && world.nested[node->loop]) {
        skip(op);
        return;
    }
    int events = op->arg[1] & (UV_READABLE | UV_WRITABLE | UV_DISCONNECT);
    node->routine = op->arg[2];
    trace_result(op, node, uv_poll_start(&node->uv.poll, events, on_poll));
}

static void do_stop(const struct op *op) {
    struct node *node = poll_of(op);
    if (node) trace_result(op, node, uv_poll_stop(&node->uv.poll));
}

/* Makes the descriptor readable. */
static void do_poke(const struct op *op) {
    struct node *node = poll_of(op);
    if (node) trace_op(op, "%d", (int)write(node->fds[1], "xyz", 3));
}

static void do_drain(const struct op *op) {
    struct node *node = poll_of(op);
    char bytes[64];
    if (node) trace_op(op, "%d", (int)read(node->fds[0], bytes, sizeof bytes));
}

static void do_hang_up(const struct op *op) {
    struct node *node = poll_of(op);
    if (node) trace_op(op, "%d", shutdown(node->fds[1], SHUT_RDWR));
}

const struct verb poll_verbs[] = {
    {"poll_init", "hl", do_init},    {"poll_start", "hnr", do_start}, {"poll_stop", "h", do_stop},
    {"poll_poke", "h", do_poke},     {"poll_drain", "h", do_drain},   {"poll_hang_up", "h", do_hang_up},
    {NULL, NULL, NULL},
};
