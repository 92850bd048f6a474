/* The interpreter of fuzz scripts: declarations that its files share.
 *
 * A script is a list of routines. Routine 0 is the main program, the others run in callbacks. Each
 * line is one operation with small numbers as arguments. The interpreter prints a trace: every
 * operation with its result, and every callback. A trace contains no addresses and no wall-clock
 * time, so two libraries with the same behaviour print the same trace.
 *
 * Traces are deterministic:
 *  - The clock is virtual. It advances only when a loop waits for a timer, and nothing sleeps
 *    (clock.c, wait.c).
 *  - Operations that start a pool thread, a child process or another thread wait until that is
 *    done, so the next poll phase finds all its events (settle.c).
 *  - Each routine has fuel, the number of times that it runs. So every script terminates.
 *  - A loop that would block forever ends the program. A watchdog thread ends one that spins.
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

enum { SLOTS = 24, LOOPS = 3, ROUTINES = 24, OPS = 512, ARGS = 6, TICK_MS = 20 };

/* An operation of the script: its verb and its arguments. */
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

/* The verbs of each area, terminated by one without a name. */
extern const struct verb loop_verbs[], handle_verbs[], timer_verbs[], hook_verbs[], async_verbs[],
    stream_verbs[], udp_verbs[], poll_verbs[], signal_verbs[], process_verbs[], work_verbs[],
    fs_verbs[], fs_event_verbs[], thread_verbs[], fork_verbs[];

/* A handle of the script. Each has its own allocation, which is poisoned and freed when closed. */
struct node {
    int slot;
    int loop;
    /* The routine of the handle's callback, and of its close callback. */
    int routine, on_close;
    /* Timers: the repeat value in ticks. */
    int repeat;
    /* Streams: whether it is bound and listens, whether a connection waits for uv_accept, the number
     * of pending connects, and the kind of its read buffers. */
    bool listens, unaccepted;
    int connecting, buffer;
    /* Poll handles: a socket pair. The handle polls the first socket. */
    int fds[2];
    /* Processes: whether it runs until it is killed, and whether its exit was reported. */
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
    /* The number of uv_run calls on the stack. */
    int running[LOOPS];
    /* Whether one of them was nested in a callback of another. */
    bool nested[LOOPS];
    /* The number of idle callbacks on the stack. */
    int in_idle[LOOPS];
    /* The number of callbacks of cancelled connects on the stack. */
    int canceling;
    /* The number of exit callbacks on the stack, the loop that has started children, and whether a
     * child of another parent may exit. */
    int in_exit;
    int parent;
    bool stray_exits;
    /* The number of threads that run a loop, and whether this process is a forked child. */
    int threads;
    bool is_child;
    /* Whether the child has called uv_loop_fork for the loop. */
    bool forked[LOOPS];
    /* The number of callbacks on the stack: of async handles, of listeners, connects, writes
     * and sent datagrams, and of all. */
    int in_async[LOOPS];
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
/* Prints an operation and its result. */
void trace_op(const struct op *op, const char *format, ...) __attribute__((format(printf, 2, 3)));
void trace_result(const struct op *op, const struct node *node, int result);
/* Print a callback. `leave` marks its end. */
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
int current_tick(void);
uint64_t timeout_of(const uv_loop_t *loop, int ticks);
int tick_of(const uv_loop_t *loop);
void skip_to_next_tick(void);

/* wait.c */
long syscall_through(long number, long a, long b, long c, long d, long e, long f);
/* Whether this thread runs the script. */
extern _Thread_local bool is_script_thread;

/* watchdog.c */
void start_watchdog(void);
/* Makes the calling thread the one that must make progress. */
void watch_thread(void);
extern atomic_int waiting;
extern pid_t watchdog_thread;

/* settle.c */
void settle(void);
void await_child(int pid);

/* process.c */
void start_first_child(uv_loop_t *loop);
void kill_children(void);

/* fs_event.c */
void init_inotify(uv_loop_t *loop);

/* work.c */
void unblock_pool(void);

/* handle.c */
struct node *new_node(const struct op *op, int slot, int loop);
void add_node(const struct op *op, struct node *node, int result);
struct node *node_at(const struct op *op, int slot, uv_handle_type type);
struct node *node_of(const void *handle);
void close_node(struct node *node, int routine);
int reset_node(struct node *node, int routine);

/* loop.c */
bool usable(const struct op *op, int loop);
bool may_run(const struct op *op, int loop, int mode);
bool may_use_pool(const struct op *op, int loop);
void tear_down(void);

#endif
