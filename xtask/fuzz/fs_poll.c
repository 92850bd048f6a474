/* File system polling. Every change of a file changes its size, because a change within the resolution
 * of the kernel's clock is not detected. The library submits queries when its timer expires. A prepare
 * handle waits for them, so that the poll phase of the same iteration finds the results. */
#include "interp.h"

#include <sys/stat.h>

enum { FILES = 2 };

static void name(char *text, int n) { snprintf(text, 8, "g%d", n % FILES); }

static uv_prepare_t settlers[LOOPS];

static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    drain_kernel();
}

void open_settler(int loop) {
    if (!has_verb("fs_poll_start")) return;
    uv_prepare_init(&world.loops[loop], &settlers[loop]);
    settlers[loop].data = NULL;
    uv_unref((uv_handle_t *)&settlers[loop]);
    uv_prepare_start(&settlers[loop], on_prepare);
}

void close_settler(int loop) {
    if (has_verb("fs_poll_start")) uv_close((uv_handle_t *)&settlers[loop], NULL);
}

static void on_change(uv_fs_poll_t *handle, int status, const uv_stat_t *before,
                      const uv_stat_t *after) {
    struct node *node = node_of(handle);
    char text[80];
    snprintf(text, sizeof text, " size %d to %d", (int)before->st_size, (int)after->st_size);
    enter_data(node, "fs_poll", status, text);
    int loop = node->loop;
    world.in_async[loop]++;
    stack.in_fs_poll++;
    run_routine(node->routine);
    stack.in_fs_poll--;
    world.in_async[loop]--;
    leave();
}

static void do_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (node) add_node(op, node, uv_fs_poll_init(&world.loops[op->arg[1]], &node->uv.fs_poll));
}

/* The open handle of the slot, whose loop may use the pool. */
static struct node *fs_poll(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_FS_POLL);
    if (!node) return NULL;
    if (world.slots[op->arg[0]].state == CLOSING) {
        skip(op);
        return NULL;
    }
    return may_use_pool(op, node->loop) ? node : NULL;
}

static void do_start(const struct op *op) {
    struct node *node = fs_poll(op);
    if (!node) return;
    /* "uv_fs_poll_start after uv_fs_poll_stop" in docs/switching.md. */
    if (node->notified) {
        skip(op);
        return;
    }
    char path[8];
    name(path, op->arg[1]);
    unsigned interval = (unsigned)(op->arg[2] + 1) * TICK_MS;
    bool active = uv_is_active((uv_handle_t *)&node->uv);
    int result = uv_fs_poll_start(&node->uv.fs_poll, on_change, path, interval);
    if (result == 0 && !active) node->routine = op->arg[3];
    trace_result(op, node, result);
    drain_kernel();
}

static void do_stop(const struct op *op) {
    struct node *node = fs_poll(op);
    if (!node) return;
    node->notified |= uv_is_active((uv_handle_t *)&node->uv);
    trace_result(op, node, uv_fs_poll_stop(&node->uv.fs_poll));
}

static void do_path(const struct op *op) {
    struct node *node = fs_poll(op);
    if (!node) return;
    char path[64] = "";
    size_t size = sizeof path;
    int result = uv_fs_poll_getpath(&node->uv.fs_poll, path, &size);
    trace_op(op, "%s %s", code(result), result == 0 ? path : "");
}

/* Appends a byte, or creates the file. */
static void do_grow(const struct op *op) {
    char path[8];
    name(path, op->arg[0]);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, "x", 1) != 1) _exit(3);
    close(fd);
    trace_op(op, "done");
}

static void do_remove(const struct op *op) {
    char path[8];
    name(path, op->arg[0]);
    trace_op(op, "%d", unlink(path));
}

const struct verb fs_poll_verbs[] = {
    {"fs_poll_init", "hl", do_init}, {"fs_poll_start", "hnnr", do_start},
    {"fs_poll_stop", "h", do_stop},  {"fs_poll_path", "h", do_path},
    {"file_grow", "n", do_grow},     {"file_remove", "n", do_remove},
    {NULL, NULL, NULL},
};
