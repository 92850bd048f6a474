/* File system events of the files that fs requests change, and of their folder. */
#include "interp.h"

static void on_event(uv_fs_event_t *handle, const char *name, int events, int status) {
    struct node *node = node_of(handle);
    char text[80];
    snprintf(text, sizeof text, " %s events %d", name ? name : "-", events);
    enter_data(node, "fs_event", status, text);
    stack.in_fs_event++;
    run_routine(node->routine);
    stack.in_fs_event--;
    leave();
}

/* Makes the loop register its inotify descriptor. libuv registers it in the next poll phase and mauve
 * at once, so the order of the first events may differ: "Events and finished requests of one poll
 * phase" in docs/switching.md. */
void init_inotify(uv_loop_t *loop) {
    static uv_fs_event_t event;
    if (!has_verb("fs_event_start")) return;
    uv_fs_event_init(loop, &event);
    uv_fs_event_start(&event, on_event, "/", 0);
    uv_run(loop, UV_RUN_NOWAIT);
    uv_close((uv_handle_t *)&event, NULL);
    uv_run(loop, UV_RUN_NOWAIT);
}

static void do_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (node) add_node(op, node, uv_fs_event_init(&world.loops[op->arg[1]], &node->uv.fs_event));
}

static void do_start(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_FS_EVENT);
    if (!node) return;
    if (world.slots[op->arg[0]].state == CLOSING) {
        skip(op);
        return;
    }
    char path[16] = ".";
    if (op->arg[1] > 0) snprintf(path, sizeof path, "f%d", op->arg[1] - 1);
    int result = uv_fs_event_start(&node->uv.fs_event, on_event, path, 0);
    if (result == 0) node->routine = op->arg[2];
    trace_result(op, node, result);
}

static void do_stop(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_FS_EVENT);
    if (node) trace_result(op, node, uv_fs_event_stop(&node->uv.fs_event));
}

static void do_path(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_FS_EVENT);
    if (!node) return;
    char path[64] = "";
    size_t size = sizeof path;
    int result = uv_fs_event_getpath(&node->uv.fs_event, path, &size);
    trace_op(op, "%s %s %zu", code(result), result == 0 ? path : "", size);
}

const struct verb fs_event_verbs[] = {
    {"fs_event_init", "hl", do_init},
    {"fs_event_start", "hnr", do_start},
    {"fs_event_stop", "h", do_stop},
    {"fs_event_path", "h", do_path},
    {NULL, NULL, NULL},
};
