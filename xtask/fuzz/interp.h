/* The interpreter of fuzz scripts: what its files share.
 *
 * A script is a list of routines; routine 0 is the program, the others run in callbacks. Each line
 * is one operation with small numbers as arguments. The interpreter prints every operation with
 * its result and every callback: the trace. A trace has no addresses and no wall-clock time in it,
 * so two libraries that behave alike print the same.
 *
 * What keeps a trace deterministic:
 *  - The clock is the interpreter's own: it stands still but for jumps to the next timer, and
 *    nothing sleeps (clock.c, wait.c).
 *  - Operations that start something elsewhere (a pool thread, a child, another thread) wait until
 *    that is finished before they return, so the next poll phase finds all of it (settle.c).
 *  - Routines have fuel: how often their operations are carried out. So every script ends.
 *  - A loop that would block for ever ends the program, and a watchdog thread one that spins.
 * Operations that are undefined in libuv (such as a second uv_close) are skipped. */
#ifndef INTERP_H
#define INTERP_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

enum { SLOTS = 24, LOOPS = 3, ROUTINES = 24, OPS = 512, ARGS = 6, GRID = 20 };

/* An operation of the script: the function that does it, and its numbers. */
struct op {
    const struct verb *verb;
    int arg[ARGS];
    int line;
};

typedef void act(const struct op *op);

struct verb {
    const char *name;
    /* One letter per argument: h handle, l loop, r routine, n number. */
    const char *args;
    act *act;
};

/* The verbs of each area; the last has no name. */
extern const struct verb loop_verbs[], handle_verbs[], timer_verbs[], hook_verbs[], async_verbs[],
    stream_verbs[], udp_verbs[], poll_verbs[], signal_verbs[], process_verbs[], work_verbs[],
    fs_verbs[], watch_verbs[], thread_verbs[], fork_verbs[];

/* A handle of the script. It has memory of its own, which is poisoned and freed when closed. */
struct node {
    int slot;
    int loop;
    /* The routine of the handle's callback, and of its close callback. */
    int routine, on_close;
    /* Of a timer: its repeat value in ticks. */
    int repeat;
    /* Of a stream: whether it has a name to connect to and a connection to accept, how many connects are
     * under way, and which buffers its reads get. */
    bool listens, unaccepted;
    int connecting, buffer;
    /* Of a poll handle: the socket pair whose first end it watches. */
    int fds[2];
    /* Of a process: whether it runs until it is killed, and whether its end was reported. */
    bool runs, reported;
    union uv_any_handle uv;
};

enum state { NEVER, OPEN, CLOSING, CLOSED };

struct slot {
    enum state state;
    struct node *node;
};

struct world {
    struct slot slots[SLOTS];
    uv_loop_t loops[LOOPS];
    bool loop_open[LOOPS];
    /* How many calls of uv_run are on the stack. */
    int running[LOOPS];
    /* Whether one of them was nested in a callback of another. */
    bool nested[LOOPS];
    /* How many idle callbacks are on the stack. */
    int in_idle[LOOPS];
    /* How many callbacks of cancelled connects are. */
    int canceling;
    /* How many exit callbacks are; which loop has started children; whether a child may end that
     * is none of the loop's. */
    int in_exit;
    int parent;
    bool stray_exits;
    /* How many threads run a loop; whether this is a child by fork. */
    int threads;
    bool is_child;
    /* Loops that the child has called uv_loop_fork for. */
    bool forked[LOOPS];
    /* How many callbacks are on the stack, of async handles and in all. */
    int in_async[LOOPS];
    /* How many callbacks of listeners and of sent datagrams are. */
    int in_socket;
    int callbacks;
};

extern struct world world;

/* script.c */
void read_script(void);
void run_routine(int routine);
bool has_fuel(int routine);
/* Whether the script uses the verb. */
bool has_verb(const char *name);
/* Whether the trace shows how many iterations there are. */
bool counts_iterations(void);

/* trace.c */
void trace(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The line of an operation: its text and what came of it. */
void trace_op(const struct op *op, const char *format, ...) __attribute__((format(printf, 2, 3)));
void trace_result(const struct op *op, const struct node *node, int result);
/* The line of a callback, after which `indent` is one deeper until `leave`. */
void enter(const struct node *node, const char *what);
void enter_request(const struct node *node, const char *what, int id, int status);
void enter_data(const struct node *node, const char *what, ssize_t nread, const char *data);
void enter_plain(int loop, const char *format, ...) __attribute__((format(printf, 2, 3)));
void leave(void);
void skip(const struct op *op);
/* The number of the next request. */
int next_id(void);
const char *code(int result);
const char *flags(const struct node *node);
extern atomic_uint progress;

/* clock.c */
void start_clock(void);
void advance(uint64_t ns);
int cell(void);
uint64_t until_tick(const uv_loop_t *loop, int ticks);
int cell_of(const uv_loop_t *loop);
void skip_to_next_cell(void);

/* wait.c */
long syscall_through(long number, long a, long b, long c, long d, long e, long f);
/* Whether the waits of this thread are the script's. */
extern _Thread_local bool is_script_thread;

/* watchdog.c */
void start_watchdog(void);
/* From now on the calling thread is the one that has to make progress. */
void watch_thread(void);
extern atomic_int waiting;
extern pid_t watchdog_thread;

/* settle.c */
void settle(void);
void await_child(int pid);

/* process.c */
void start_first_child(uv_loop_t *loop);
void kill_children(void);

/* watch.c */
void warm_up(uv_loop_t *loop);

/* work.c */
void unblock_pool(void);

/* handle.c */
struct node *make(const struct op *op, int slot, int loop);
void made(const struct op *op, struct node *node, int result);
struct node *live(const struct op *op, int slot, uv_handle_type type);
struct node *node_of(const void *handle);
void close_node(struct node *node, int routine);
int reset_node(struct node *node, int routine);

/* loop.c */
bool usable(const struct op *op, int loop);
bool may_run(const struct op *op, int loop, int mode);
bool may_use_pool(const struct op *op, int loop);
void tear_down(void);

#endif
