/* Loops: run, stop, walk, close. */
#include "interp.h"

#include <poll.h>
#include <setjmp.h>

enum { DEPTH = 3, EMBEDDED = 200 };

static const uv_run_mode modes[] = {UV_RUN_DEFAULT, UV_RUN_ONCE, UV_RUN_NOWAIT};

/* Where a callback of the outermost run jumps to. */
static jmp_buf outermost;

/* Whether the loop is open. Skips the operation if it is not. */
bool usable(const struct op *op, int loop) {
    bool open = owns_loop(loop) && world.loop_open[loop];
    if (!open) skip(op);
    return open;
}

static void run(const struct op *op, int loop, uv_run_mode mode) {
    trace_op(op, "{");
    struct stack before = stack;
    int in_idle = world.in_idle[loop];
    stack.depth++;
    world.nested[loop] = world.running[loop]++ > 0;
    if (stack.depth > 1 || setjmp(outermost) == 0) {
        int result = uv_run(&world.loops[loop], mode);
        world.running[loop]--;
        stack = before;
        trace_op(op, "} %d", result);
        return;
    }
    world.running[loop]--;
    world.in_idle[loop] = in_idle;
    stack = before;
    trace_op(op, "} left");
}

/* Whether no other handle has a callback in the current phase. libuv loses these when the run is left:
 * "Callbacks that leave by `longjmp`" in docs/switching.md. */
static bool is_alone_in_phase(void) {
    for (int i = 0; i < SLOTS; i++) {
        struct node *node = world.slots[i].node;
        enum state state = world.slots[i].state;
        if ((state != OPEN && state != CLOSING) || node->loop != stack.loop) continue;
        uv_handle_t *handle = (uv_handle_t *)&node->uv;
        bool same = handle->type == stack.type && node != stack.node;
        /* Timers that are due are not active in libuv. */
        bool due = same && stack.type == UV_TIMER && uv_timer_get_due_in(&node->uv.timer) == 0;
        bool hooked = same && stack.type != UV_TIMER && uv_is_active(handle);
        if (stack.closes ? state == CLOSING : due || hooked) return false;
    }
    return true;
}

/* Leaves the run by longjmp. Only timers, hooks and close callbacks do so: libuv keeps a pointer to
 * its events, which are on the stack, while it polls. */
static void do_jump(const struct op *op) {
    bool phase = stack.closes || stack.type == UV_TIMER || stack.type == UV_IDLE ||
                 stack.type == UV_PREPARE || stack.type == UV_CHECK;
    if (stack.callbacks != 1 || stack.depth != 1 || !phase || world.threads > 0 ||
        has_verb("run_in_thread") || !is_alone_in_phase()) {
        skip(op);
        return;
    }
    trace_op(op, "leaves");
    longjmp(outermost, 1);
}

/* Whether the loop may run now. Skips the operation if it may not. */
bool may_run(const struct op *op, int loop, int mode) {
    if (!usable(op, loop)) return false;
    /* "Children that wake a loop" in docs/switching.md. */
    bool spurious = world.stray_exits && mode % 3 == 1;
    /* "A forked child that runs a loop or uses the pool" in docs/switching.md. */
    bool shared = world.is_child && !world.forked[loop];
    if (stack.depth < DEPTH && !spurious && !shared) return true;
    skip(op);
    return false;
}

/* Whether the loop may have requests done by the pool; or else the operation is skipped. */
bool may_use_pool(const struct op *op, int loop) {
    if (!usable(op, loop)) return false;
    /* In a child that has not called uv_loop_fork they wake the parent's loop. */
    bool inherited = world.is_child && !world.forked[loop];
    /* "Requests that are in flight at a fork" in docs/switching.md. */
    bool is_parent = !world.is_child && has_verb("fork");
    if (!inherited && !is_parent) return true;
    skip(op);
    return false;
}

static void do_run(const struct op *op) {
    if (world.running[op->arg[0]] > 0) {
        skip(op);
    } else if (may_run(op, op->arg[0], op->arg[1])) {
        run(op, op->arg[0], modes[op->arg[1] % 3]);
    }
}

/* As do_run, but also in a callback of the same loop. */
static void do_run_again(const struct op *op) {
    /* "Nested runs" in docs/switching.md. */
    if (stack.in_exit > 0 || world.in_async[op->arg[0]] > 0 || stack.in_socket > 0 ||
        stack.in_fs_event > 0) {
        skip(op);
    } else if (may_run(op, op->arg[0], op->arg[1])) {
        run(op, op->arg[0], modes[op->arg[1] % 3]);
    }
}

/* Runs the loop as a program does that embeds it: polls its descriptor, and runs the loop without
 * waiting. Some iterations have no event, so a script that counts iterations skips this. */
static void do_embed(const struct op *op) {
    int index = op->arg[0];
    if (!may_run(op, index, 2)) return;
    /* "Events and finished requests of one poll phase" in docs/switching.md: uv_backend_fd makes mauve
     * register all descriptors again. */
    if (world.running[index] > 0 || has_verb("hook_start") || has_verb("connect")) {
        skip(op);
        return;
    }
    trace_op(op, "{");
    uv_loop_t *loop = &world.loops[index];
    for (int i = 0; i < EMBEDDED && uv_loop_alive(loop); i++) {
        if (has_verb("fs_poll_start")) drain_kernel();
        struct pollfd ready = {.fd = uv_backend_fd(loop), .events = POLLIN};
        int timeout = uv_backend_timeout(loop);
        if (timeout != 0 && poll(&ready, 1, 0) == 0) {
            if (timeout < 0) break;
            advance((uint64_t)timeout * 1000000);
        }
        world.running[index]++;
        uv_run(loop, UV_RUN_NOWAIT);
        world.running[index]--;
    }
    trace_op(op, "} %d", uv_loop_alive(loop));
}

static void do_stop(const struct op *op) {
    if (!usable(op, op->arg[0])) return;
    uv_stop(&world.loops[op->arg[0]]);
    trace_op(op, "done");
}

static void do_alive(const struct op *op) {
    if (!usable(op, op->arg[0])) return;
    trace_op(op, "%d", uv_loop_alive(&world.loops[op->arg[0]]));
}

static void do_timeout(const struct op *op) {
    if (!usable(op, op->arg[0])) return;
    /* "uv_backend_timeout in an idle callback" in docs/switching.md. */
    if (world.in_idle[op->arg[0]] > 0) {
        skip(op);
        return;
    }
    /* "uv_backend_timeout ... after a file request" in docs/switching.md. */
    if (has_verb("fs") || has_verb("fs_poll_start") || has_verb("write")) {
        skip(op);
        return;
    }
    int timeout = uv_backend_timeout(&world.loops[op->arg[0]]);
    trace_op(op, "%s", timeout < 0 ? "infinite" : timeout == 0 ? "0" : "finite");
}

static void do_update(const struct op *op) {
    if (!usable(op, op->arg[0])) return;
    uv_update_time(&world.loops[op->arg[0]]);
    trace_op(op, "tick %d", tick_of(&world.loops[op->arg[0]]));
}

static void do_now(const struct op *op) {
    if (!usable(op, op->arg[0])) return;
    trace_op(op, "tick %d", tick_of(&world.loops[op->arg[0]]));
}

static void do_tick(const struct op *op) {
    /* "Iterations after a connect" in docs/switching.md. */
    if (has_verb("connect")) {
        skip(op);
        return;
    }
    skip_to_next_tick();
    trace_op(op, "tick %d", current_tick());
}

static void visit(uv_handle_t *handle, void *argument) {
    (void)argument;
    struct node *node = node_of(handle);
    if (!node) return;
    trace("  h%d %s [%s]", node->slot, uv_handle_type_name(handle->type), flags(node));
}

static void do_walk(const struct op *op) {
    if (!usable(op, op->arg[0])) return;
    trace_op(op, "visits");
    uv_walk(&world.loops[op->arg[0]], visit, NULL);
}

static void visit_and_close(uv_handle_t *handle, void *routine) {
    visit(handle, NULL);
    if (node_of(handle) && !uv_is_closing(handle)) close_node(node_of(handle), (int)(intptr_t)routine);
}

static void do_walk_close(const struct op *op) {
    if (!usable(op, op->arg[0])) return;
    /* "Children that exit in callbacks", "Signals raised in callbacks" and "uv_fs_poll_t" in
     * docs/switching.md. */
    bool may_be_raised = stack.callbacks > 0 && has_verb("raise");
    bool inherited = world.is_child && !world.forked[op->arg[0]];
    if (stack.in_exit > 0 || stack.in_fs_poll > 0 || may_be_raised || inherited) {
        skip(op);
        return;
    }
    trace_op(op, "visits");
    uv_walk(&world.loops[op->arg[0]], visit_and_close, (void *)(intptr_t)op->arg[1]);
}

static void do_close(const struct op *op) {
    if (!usable(op, op->arg[0])) return;
    if (world.running[op->arg[0]] > 0) {
        skip(op);
        return;
    }
    int result = uv_loop_close(&world.loops[op->arg[0]]);
    if (result == 0) world.loop_open[op->arg[0]] = false;
    trace_op(op, "%s", code(result));
}

static void do_init(const struct op *op) {
    if (world.loop_open[op->arg[0]]) {
        skip(op);
        return;
    }
    int result = uv_loop_init(&world.loops[op->arg[0]]);
    world.loop_open[op->arg[0]] = result == 0;
    if (result == 0) {
        init_inotify(&world.loops[op->arg[0]]);
        open_settler(op->arg[0]);
    }
    trace_op(op, "%s", code(result));
}

const struct verb loop_verbs[] = {
    {"run", "ln", do_run},         {"run_again", "ln", do_run_again}, {"stop", "l", do_stop},
    {"alive", "l", do_alive},      {"timeout", "l", do_timeout},      {"update", "l", do_update},
    {"now", "l", do_now},          {"tick", "", do_tick},             {"walk", "l", do_walk},
    {"walk_close", "lr", do_walk_close}, {"loop_close", "l", do_close}, {"loop_init", "l", do_init},
    {"embed", "l", do_embed},      {"jump", "", do_jump},
    {NULL, NULL, NULL},
};

/* Closes all handles of all loops, runs the loops until they are done, and closes them. */
void tear_down(void) {
    unblock_pool();
    kill_children();
    for (int i = 0; i < LOOPS; i++) {
        if (!world.loop_open[i]) continue;
        trace("end of l%d", i);
        uv_walk(&world.loops[i], visit_and_close, NULL);
        close_settler(i);
        world.running[i]++;
        /* Twice: after uv_stop the first uv_run returns at once. */
        for (int n = 0; n < 2; n++) trace("run %d", uv_run(&world.loops[i], UV_RUN_DEFAULT));
        world.running[i]--;
        int result = uv_loop_close(&world.loops[i]);
        trace("close %s", code(result));
        /* A loop that is busy stays open: initialising it again would be undefined. */
        world.loop_open[i] = result != 0;
    }
}
