/* The interpreter of fuzz scripts: what its files share.
 *
 * A script is a list of routines; routine 0 is the program, the others run in callbacks. Each line
 * is one operation with small numbers as arguments. The interpreter prints every operation with
 * its result and every callback: the trace. A trace has no addresses and no wall-clock time in it,
 * so two libraries that behave alike print the same.
 *
 * What keeps a trace deterministic:
 *  - Time is a grid. A timer of N ticks is due at the N-th grid point from now, whatever the
 *    milliseconds in between, so timers of one grid point expire in one iteration (clock.c).
 *  - Operations that start something elsewhere (a pool thread, a child, another thread) wait until
 *    that is finished before they return, so the next poll phase finds all of it (settle.c).
 *  - Routines have fuel: how often their operations are carried out. So every script ends.
 *  - A loop that would block for ever is reported by a watchdog thread, which ends the process.
 * Operations that are undefined in libuv (such as a second uv_close) are skipped. */
#ifndef INTERP_H
#define INTERP_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
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
extern const struct verb loop_verbs[], handle_verbs[], timer_verbs[], hook_verbs[], async_verbs[];

/* A handle of the script. It has memory of its own, which is poisoned and freed when closed. */
struct node {
    int slot;
    int loop;
    /* The routine of the handle's callback, and of its close callback. */
    int routine, on_close;
    /* Of a timer: its repeat value in ticks. */
    int repeat;
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
    /* How many idle callbacks are on the stack. */
    int in_idle[LOOPS];
};

extern struct world world;

/* script.c */
void read_script(void);
void run_routine(int routine);
bool has_fuel(int routine);

/* trace.c */
void trace(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The line of an operation: its text and what came of it. */
void trace_op(const struct op *op, const char *format, ...) __attribute__((format(printf, 2, 3)));
void trace_result(const struct op *op, const struct node *node, int result);
/* The line of a callback, after which `indent` is one deeper until `leave`. */
void enter(const struct node *node, const char *what);
void leave(void);
const char *code(int result);
const char *flags(const struct node *node);
extern atomic_uint progress;

/* clock.c */
void start_clock(void);
int cell(void);
uint64_t until_tick(const uv_loop_t *loop, int ticks);
int cell_of(const uv_loop_t *loop);
void sleep_until_next_cell(void);

/* watchdog.c */
void start_watchdog(void);
extern atomic_int waiting;

/* handle.c */
struct node *make(const struct op *op, int slot, int loop);
void made(const struct op *op, struct node *node, int result);
struct node *live(const struct op *op, int slot, uv_handle_type type);
struct node *node_of(const void *handle);
void close_node(struct node *node, int routine);

/* loop.c */
bool usable(const struct op *op, int loop);
void tear_down(void);

#endif
