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
 *    done, so the next poll phase finds all its events (drain_kernel.c).
 *  - Two loops that run at the same time share no handles, files, fuel or clock (thread.c).
 *  - The wake-up of a loop is the first event of its poll phase (wait.c).
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
    fs_verbs[], fs_event_verbs[], fs_poll_verbs[], tty_verbs[], thread_verbs[], fork_verbs[];

/* A handle of the script. It is poisoned when closed. */
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
    /* Poll handles: a socket pair. The handle polls the first socket. Terminals: the other side and
     * a duplicate of the own one. */
    int fds[2];
    /* Async handles: whether a notification is pending. Signal handles: whether a signal is. File
     * system polls: whether it was stopped. */
    bool notified;
    /* Processes: whether it runs until it is killed, and whether its exit was reported. */
    bool runs, exited, reported;
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
    /* The loop that has started children, and whether a child of another parent may exit. */
    int parent;
    bool stray_exits;
    /* The number of threads that run a loop, and whether this process is a forked child. */
    int threads;
    bool is_child;
    /* Whether the child has called uv_loop_fork for the loop. */
    bool forked[LOOPS];
    /* The number of callbacks of async handles and of pool requests on the stack. */
    int in_async[LOOPS];
};

extern struct world world;

/* The callbacks on the stack of this thread: all, and those of exits, of sockets (listeners, connects,
 * writes, sent datagrams), of file system polls and of cancelled connects. */
struct stack {
    int callbacks, in_exit, in_socket, in_fs_event, in_fs_poll, canceling;
    /* The number of uv_run calls. */
    int depth;
    /* The handle whose callback runs, and whether it is the close callback. */
    const struct node *node;
    uv_handle_type type;
    int loop;
    bool closes;
};

extern _Thread_local struct stack stack;

/* script.c */
void read_script(void);
void run_routine(int routine);
/* Called before lanes start, and after they have ended. Each has the fuel that is there before. */
void begin_fuel(void);
void end_fuel(void);
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
/* The number of lines of this thread. */
extern _Thread_local unsigned lines_of_thread;
/* Redirects the trace of this thread to a buffer. */
void begin_buffer(int lane);
/* Prints the buffer of a lane. */
void print_buffer(int lane);

/* clock.c */
/* Begins and ends a thread with a clock of its own. `end_clock` returns its time. */
void begin_clock(void);
uint64_t end_clock(void);
void set_clock(uint64_t ns);
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

/* thread.c */
enum { LANES = 2 };
/* The lane of this thread while two loops run at the same time, or -1. */
extern _Thread_local int lane;
/* Whether this thread may use the slot, and the loop. */
bool owns_slot(int slot);
bool owns_loop(int loop);
/* Whether the operation is allowed while two loops run at the same time. */
bool runs_in_lanes(const struct verb *verb);
/* Waits until the pool has done what this lane has submitted. */
void settle_lane(void);
/* Ends a lane whose loop would block forever. */
void block_lane(void);

/* watchdog.c */
void start_watchdog(void);
/* Makes the calling thread the one that must make progress. */
void watch_thread(void);
extern atomic_int waiting;
extern pid_t watchdog_thread;

/* drain_kernel.c */
void drain_kernel(void);
void await_child(int pid);

/* process.c */
void start_first_child(uv_loop_t *loop);
void kill_children(void);

/* fs_event.c */
void init_inotify(uv_loop_t *loop);

/* fs_poll.c */
/* Opens and closes the handle that waits for queries before each poll phase. It has no data. */
void open_settler(int loop);
void close_settler(int loop);

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
