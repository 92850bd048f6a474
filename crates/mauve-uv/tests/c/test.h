/* Shared by all programs. They print what happens, and the harness compares the output of libuv
 * and mauve. */
#ifndef TEST_H
#define TEST_H

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#define UNUSED __attribute__((unused))
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Prints a line and flushes it, so that the output is complete if the program crashes later. */
static UNUSED void print(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

/* The name of a return value. */
static UNUSED const char *code(int result) {
    return result == 0 ? "0" : result > 0 ? "positive" : uv_err_name(result);
}

/* For programs with a `needs` line: as assert, but never compiled out, and prints both values. */
#define EXPECT(actual, wanted)                                                                   \
    do {                                                                                         \
        long long is = (long long)(actual), should = (long long)(wanted);                        \
        if (is != should) {                                                                      \
            fprintf(stderr, "%s:%d: %s is %lld, not %lld (%s)\n", __FILE__, __LINE__, #actual,   \
                    is, should, #wanted);                                                        \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

/* Records events of a program with a `needs` line, for EXPECT_EVENTS. */
static char UNUSED event_log[4096];

static UNUSED void record_event(const char *word) {
    strcat(event_log, word);
    strcat(event_log, " ");
}

#define EXPECT_EVENTS(wanted)                                                                    \
    do {                                                                                         \
        if (strcmp(event_log, wanted) != 0) {                                                    \
            fprintf(stderr, "%s:%d: the events are\n  %s\nnot\n  %s\n", __FILE__, __LINE__, event_log, \
                    wanted);                                                                     \
            exit(1);                                                                             \
        }                                                                                        \
        event_log[0] = 0;                                                                        \
    } while (0)

/* Closes every handle of the loop, runs it and closes it. */
static UNUSED void close_walked(uv_handle_t *handle, void *argument) {
    (void)argument;
    if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

static UNUSED int close_loop(uv_loop_t *loop) {
    uv_walk(loop, close_walked, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    return uv_loop_close(loop);
}

#endif
