/* Loops that run in other threads: one, while the script waits, or two at the same time.
 *
 * Two loops run in two *lanes*. Each lane is a thread with its own loop, slots, files, fuel, clock and
 * trace, so that the traces do not depend on how the lanes interleave. They share the library and its
 * pool. Operations that concern the process are skipped in lanes. */
#include "interp.h"

#include <semaphore.h>

static const uv_run_mode modes[] = {UV_RUN_DEFAULT, UV_RUN_ONCE, UV_RUN_NOWAIT};

struct run {
    uv_loop_t *loop;
    uv_run_mode mode;
    int routine, result;
};

static struct stack inherited;

static void *run_in_thread(void *argument) {
    struct run *run = argument;
    is_script_thread = true;
    stack = inherited;
    watch_thread();
    run_routine(run->routine);
    run->result = uv_run(run->loop, run->mode);
    return NULL;
}

/* Runs a routine and then a loop in another thread. */
static void do_run_in_thread(const struct op *op) {
    int loop = op->arg[0];
    if (!may_run(op, loop, op->arg[1])) return;
    if (world.running[loop] > 0 || world.threads >= 2) {
        skip(op);
        return;
    }
    trace_op(op, "{");
    struct run run = {&world.loops[loop], modes[op->arg[1] % 3], op->arg[2], 0};
    pthread_t thread;
    world.running[loop]++;
    world.threads++;
    inherited = stack;
    if (pthread_create(&thread, NULL, run_in_thread, &run)) _exit(3);
    pthread_join(thread, NULL);
    watch_thread();
    world.threads--;
    world.running[loop]--;
    trace_op(op, "} %d", run.result);
}

_Thread_local int lane = -1;

/* The lane that a slot belongs to, and the loop of each lane. */
static int owner[SLOTS], loop_of[LANES];
/* Posted by a lane that has ended or blocks forever, and whether one blocks. */
static sem_t ended;
static atomic_bool blocked;
static uint64_t clock_of[LANES];

bool owns_slot(int slot) { return lane < 0 || owner[slot] == lane; }

bool owns_loop(int loop) { return lane < 0 || loop_of[lane] == loop; }

/* Signals, children, forks, threads and the state of the pool concern the whole process. */
bool runs_in_lanes(const struct verb *verb) {
    static const char *const whole[] = {
        "signal_init", "signal_start", "signal_start_oneshot", "signal_stop", "raise", "spawn",
        "process_kill", "fork", "loop_fork", "run_in_thread", "run_together", "pool_block",
        "pool_unblock", "cancel", "tick", "jump", "embed", "fs_poll_start", "file_grow",
        "file_remove", "fs_event_start", "loop_init", "loop_close",
    };
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        if (strcmp(whole[i], verb->name) == 0) return false;
    }
    return true;
}

void block_lane(void) {
    atomic_store(&blocked, true);
    sem_post(&ended);
    for (;;) pause();
}

static void pass(uv_work_t *request) { sem_post(request->data); }

static void ignore(uv_work_t *request, int status) { (void)request, (void)status; }

/* The pool has one thread, so it has done and reported all earlier requests when it begins another. */
void settle_lane(void) {
    static uv_loop_t loops[LANES];
    uv_loop_t *loop = &loops[lane];
    sem_t passed;
    uv_work_t request = {.data = &passed};
    sem_init(&passed, 0, 0);
    if (uv_loop_init(loop) || uv_queue_work(loop, &request, pass, ignore)) _exit(3);
    while (sem_wait(&passed) != 0) continue;
    /* Waits for the end of the request. This loop has no part in the script. */
    is_script_thread = false;
    uv_run(loop, UV_RUN_DEFAULT);
    is_script_thread = true;
    uv_loop_close(loop);
}

static void *run_lane(void *argument) {
    struct run *run = argument;
    lane = (int)(intptr_t)run->loop->data;
    is_script_thread = true;
    stack = inherited;
    begin_clock();
    run_routine(run->routine);
    run->result = uv_run(run->loop, run->mode);
    trace("lane of l%d returns %d", loop_of[lane], run->result);
    clock_of[lane] = end_clock();
    sem_post(&ended);
    return NULL;
}

/* Runs two loops at the same time, each after a routine of its own. */
static void do_run_together(const struct op *op) {
    int loops[LANES] = {op->arg[0], (op->arg[0] + 1 + op->arg[1] % 2) % LOOPS};
    for (int i = 0; i < LANES; i++) {
        if (!may_run(op, loops[i], op->arg[1] / 2)) return;
        if (world.running[loops[i]] > 0 || world.threads > 0 || world.is_child ||
            has_verb("pool_block")) {
            skip(op);
            return;
        }
    }
    trace_op(op, "{");
    for (int i = 0; i < SLOTS; i++) {
        enum state state = world.slots[i].state;
        owner[i] = i % LANES;
        if (state != OPEN && state != CLOSING) continue;
        int loop = world.slots[i].node->loop;
        owner[i] = loop == loops[0] ? 0 : loop == loops[1] ? 1 : -1;
    }
    struct run runs[LANES];
    pthread_t threads[LANES];
    sem_init(&ended, 0, 0);
    begin_fuel();
    inherited = stack;
    world.threads++;
    for (int i = 0; i < LANES; i++) {
        runs[i] = (struct run){&world.loops[loops[i]], modes[op->arg[1] / 2 % 3], op->arg[2 + i], 0};
        loop_of[i] = loops[i];
        world.loops[loops[i]].data = (void *)(intptr_t)i;
        world.running[loops[i]]++;
        begin_buffer(i);
    }
    for (int i = 0; i < LANES; i++) {
        if (pthread_create(&threads[i], NULL, run_lane, &runs[i])) _exit(3);
    }
    for (int i = 0; i < LANES; i++) {
        while (sem_wait(&ended) != 0) continue;
    }
    for (int i = 0; i < LANES; i++) print_buffer(i);
    if (atomic_load(&blocked)) _exit(0);
    for (int i = 0; i < LANES; i++) {
        pthread_join(threads[i], NULL);
        world.running[loops[i]]--;
    }
    end_fuel();
    set_clock(clock_of[0] > clock_of[1] ? clock_of[0] : clock_of[1]);
    world.threads--;
    trace_op(op, "}");
}

const struct verb thread_verbs[] = {
    {"run_in_thread", "lnr", do_run_in_thread},
    {"run_together", "lnrr", do_run_together},
    {NULL, NULL, NULL},
};
