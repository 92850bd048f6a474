/* Async handles, notified from this thread or from another. */
#include "interp.h"

static void on_async(uv_async_t *async) {
    struct node *node = node_of(async);
    int loop = node->loop;
    node->notified = false;
    enter(node, "async");
    world.in_async[loop]++;
    run_routine(node->routine);
    world.in_async[loop]--;
    leave();
}

static void do_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (!node) return;
    node->routine = op->arg[2];
    add_node(op, node, uv_async_init(&world.loops[op->arg[1]], &node->uv.async, on_async));
}

/* The handle to notify. */
static struct node *async(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_ASYNC);
    if (!node) return NULL;
    /* "A forked child that runs a loop or uses the pool" in docs/switching.md: the notification wakes
     * the parent's loop. */
    if (world.is_child && !world.forked[node->loop]) {
        skip(op);
        return NULL;
    }
    node->notified = world.slots[op->arg[0]].state == OPEN;
    return node;
}

static void do_send(const struct op *op) {
    struct node *node = async(op);
    if (node) trace_result(op, node, uv_async_send(&node->uv.async));
}

static void *send_async(void *async) { return (void *)(intptr_t)uv_async_send(async); }

/* Notifies the handle from another thread, and joins that thread. */
static void do_send_from_thread(const struct op *op) {
    struct node *node = async(op);
    if (!node) return;
    pthread_t thread;
    void *result = NULL;
    if (pthread_create(&thread, NULL, send_async, &node->uv.async)) _exit(3);
    pthread_join(thread, &result);
    trace_result(op, node, (int)(intptr_t)result);
}

const struct verb async_verbs[] = {
    {"async_init", "hlr", do_init},
    {"async_send", "h", do_send},
    {"async_send_from_thread", "h", do_send_from_thread},
    {NULL, NULL, NULL},
};
