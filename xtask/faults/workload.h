/* Code that the workloads share: a record of operations, a deadline, and the exit code.
 *
 * A workload starts operations and records the result of each. It succeeds if
 *
 *  - every operation that was started is reported exactly once, with success or an error;
 *  - all operations are complete, or an error was reported to the program;
 *  - every close callback runs, and the loop closes;
 *  - the loop does not spin.
 *
 * After the first error the program runs for another GRACE milliseconds, so that unaffected
 * operations complete, and then closes all handles. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "injection.h"

#define UNUSED __attribute__((unused))
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define HANDLE(handle) ((uv_handle_t *)(handle))
#define STREAM(handle) ((uv_stream_t *)(handle))
#define SOCKADDR(address) ((const struct sockaddr *)(address))

enum { STEP = 10, GRACE = 60, TIMEOUT = 4000, MAX_OPERATIONS = 64, MAX_ITERATIONS = 20000 };

typedef struct {
    const char *name;
    int started, reported;
} operation;

static operation operations[MAX_OPERATIONS];
static int errors, failures;
static long iterations;
static uint64_t first_error_at, started_at;

static UNUSED void set_injection(int on) { prctl(INJECTION_SWITCH, on, 0, 0, 0); }

/* Fails the workload. */
static UNUSED void lost(const char *what) {
    printf("lost: %s\n", what);
    failures++;
}

static UNUSED void record_error(const char *name, int status) {
    printf("error: %s %s\n", name, uv_err_name(status));
    if (errors++ == 0) first_error_at = uv_hrtime() / 1000000;
}

/* Records the error of an immediate result, if it is one. Returns the result. */
static UNUSED int check(const char *name, long result) {
    if (result < 0) record_error(name, result);
    return result;
}

static UNUSED operation *operation_named(const char *name) {
    for (int i = 0; i < MAX_OPERATIONS; i++) {
        if (operations[i].name == NULL) operations[i].name = name;
        if (strcmp(operations[i].name, name) == 0) return &operations[i];
    }
    abort();
}

/* Records the start of an operation that a callback completes. Returns whether it has started. */
static UNUSED int started(const char *name, int result) {
    if (result == 0) operation_named(name)->started++;
    return check(name, result) == 0;
}

static UNUSED void reported(const char *name, long status) {
    operation_named(name)->reported++;
    check(name, status);
}

/* Fails the workload if the condition does not hold although no error was reported. */
static UNUSED void complete(const char *what, int holds) {
    if (!holds && errors == 0) lost(what);
}

static UNUSED void on_closed(uv_handle_t *handle) {
    (void)handle;
    operation_named("close")->reported++;
}

static UNUSED void end_handle(void *handle) {
    if (uv_is_closing(handle)) return;
    operation_named("close")->started++;
    uv_close(handle, on_closed);
}

static UNUSED void end_any(uv_handle_t *handle, void *argument) {
    (void)argument;
    end_handle(handle);
}

static UNUSED void on_deadline(uv_timer_t *timer) {
    uint64_t now = uv_hrtime() / 1000000;
    if (errors > 0 ? now - first_error_at < GRACE : now - started_at < TIMEOUT) return;
    if (errors == 0) lost("progress: the loop hangs, and no error was reported");
    uv_walk(timer->loop, end_any, NULL);
}

static UNUSED void on_iteration(uv_prepare_t *prepare) {
    (void)prepare;
    iterations++;
}

static uv_timer_t UNUSED deadline;
static uv_prepare_t UNUSED iteration;

/* Initialises a loop, with a second attempt if the first fails. Returns whether it succeeded. */
static UNUSED int init_loop(uv_loop_t *loop) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    /* Programs that write to local sockets ignore SIGPIPE. */
    signal(SIGPIPE, SIG_IGN);
    int result = uv_loop_init(loop);
    if (result != 0) {
        record_error("loop_init", result);
        if (check("loop_init", uv_loop_init(loop)) != 0) return 0;
    }
    started_at = uv_hrtime() / 1000000;
    check("timer_init", uv_timer_init(loop, &deadline));
    check("timer_start", uv_timer_start(&deadline, on_deadline, STEP, STEP));
    uv_unref(HANDLE(&deadline));
    check("prepare_init", uv_prepare_init(loop, &iteration));
    check("prepare_start", uv_prepare_start(&iteration, on_iteration));
    uv_unref(HANDLE(&iteration));
    return 1;
}

/* Runs the loop until nothing is active, then closes all handles and the loop. */
static UNUSED void finish_loop(uv_loop_t *loop) {
    uv_run(loop, UV_RUN_DEFAULT);
    uv_walk(loop, end_any, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    int result = uv_loop_close(loop);
    if (result != 0) lost("the loop: it does not close");
}

/* The exit code. */
static UNUSED int exit_code(void) {
    set_injection(0);
    for (int i = 0; i < MAX_OPERATIONS && operations[i].name != NULL; i++) {
        operation *one = &operations[i];
        if (one->started == one->reported) continue;
        printf("lost: %s, %d started, %d reported\n", one->name, one->started, one->reported);
        failures++;
    }
    if (iterations > MAX_ITERATIONS) {
        printf("lost: time, %ld iterations\n", iterations);
        failures++;
    }
    printf("%s: %d errors, %ld iterations\n", failures == 0 ? "ok" : "failed", errors, iterations);
    return failures != 0;
}

/* The path of the workload's temporary folder. */
static char UNUSED folder[64];

static UNUSED void make_folder(void) {
    strcpy(folder, "/tmp/mauve-faults-XXXXXX");
    assert(mkdtemp(folder) != NULL);
}

static UNUSED const char *in_folder(const char *name) {
    static char paths[8][128];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static UNUSED void remove_folder(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) perror(folder);
}

static UNUSED void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    static char bytes[65536];
    (void)handle;
    (void)size;
    *buffer = uv_buf_init(bytes, sizeof bytes);
}

#endif
