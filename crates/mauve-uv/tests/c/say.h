/* What the programs share: they print what happens, and the harness compares. */
#ifndef SAY_H
#define SAY_H

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

/* Prints a line, at once: a program that crashes later shows how far it came. */
static UNUSED void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

/* A return value by name. */
static UNUSED const char *code(int result) {
    return result == 0 ? "0" : result > 0 ? "positive" : uv_err_name(result);
}

/* For programs with `needs`: like assert, but never compiled out, and with both values. */
#define EXPECT(actual, wanted)                                                                   \
    do {                                                                                         \
        long long is = (long long)(actual), should = (long long)(wanted);                        \
        if (is != should) {                                                                      \
            fprintf(stderr, "%s:%d: %s is %lld, not %lld (%s)\n", __FILE__, __LINE__, #actual,   \
                    is, should, #wanted);                                                        \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

/* Records what happens in a `needs` program, to be compared in one go. */
static char UNUSED story[4096];

static UNUSED void tell(const char *word) {
    strcat(story, word);
    strcat(story, " ");
}

#define EXPECT_STORY(wanted)                                                                     \
    do {                                                                                         \
        if (strcmp(story, wanted) != 0) {                                                        \
            fprintf(stderr, "%s:%d: the story is\n  %s\nnot\n  %s\n", __FILE__, __LINE__, story, \
                    wanted);                                                                     \
            exit(1);                                                                             \
        }                                                                                        \
        story[0] = 0;                                                                            \
    } while (0)

/* Closes every handle of the loop, runs it to its end and closes it. */
static UNUSED void close_walked(uv_handle_t *handle, void *argument) {
    (void)argument;
    if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

static UNUSED int finish(uv_loop_t *loop) {
    uv_walk(loop, close_walked, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    return uv_loop_close(loop);
}

#endif
