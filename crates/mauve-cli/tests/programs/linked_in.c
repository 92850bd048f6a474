/* A program or a library with a libuv linked in: only what is needed to recognise one.
 * NUMBER and TEXT are its version. EXTRA makes a struct larger, HIDDEN lacks a function, NEW adds one
 * that libuv does not have yet, SHORT makes one too short for a jump, and INDIRECT lets the loader choose
 * one. With STUBS some only end the program, as Bun's do. With V8 it has V8's function for options. */
#include <stdio.h>
#include <uv.h>

#ifndef NUMBER
#define NUMBER 0x012c02
#define TEXT "1.44.2"
#endif
#ifndef EXTRA
#define EXTRA 0
#endif

unsigned uv_version(void) { return NUMBER; }
const char *uv_version_string(void) { return TEXT; }
size_t uv_loop_size(void) { return sizeof(uv_loop_t); }
size_t uv_handle_size(uv_handle_type type) { return type == UV_TIMER ? sizeof(uv_timer_t) + EXTRA : (size_t) -1; }
size_t uv_req_size(uv_req_type type) { return type == UV_WRITE ? sizeof(uv_write_t) : (size_t) -1; }
#ifdef STUBS
#include <stdlib.h>
int uv_run(uv_loop_t *loop, uv_run_mode mode) { abort(); }
int uv_loop_init(uv_loop_t *loop) { abort(); }
void uv_walk(uv_loop_t *loop, uv_walk_cb callback, void *data) { abort(); }
#define HIDDEN
#else
int uv_run(uv_loop_t *loop, uv_run_mode mode) { return loop != 0 && mode; }
int uv_loop_init(uv_loop_t *loop) { return loop == 0; }
#endif
int uv_loop_close(uv_loop_t *loop) { return loop == 0; }
uv_loop_t *uv_default_loop(void) { return 0; }
void uv_close(uv_handle_t *handle, uv_close_cb callback) { callback(handle); }
#ifndef HIDDEN
void uv_walk(uv_loop_t *loop, uv_walk_cb callback, void *data) { callback((uv_handle_t *) loop, data); }
#endif
#ifdef SHORT
__asm__(".globl uv_now\n.type uv_now, @function\nuv_now: ret\n.size uv_now, . - uv_now\nfollows: push %rbp\npop %rbp\nret\nret\nret");
#else
uint64_t uv_now(const uv_loop_t *loop) { return loop == 0; }
#endif
#ifdef INDIRECT
static int alive(const uv_loop_t *loop) { return loop == 0; }
static int (*choose(void))(const uv_loop_t *) { return alive; }
int uv_loop_alive(const uv_loop_t *loop) __attribute__((ifunc("choose")));
#endif
#ifdef NEW
int uv_not_yet_invented(void);
int uv_not_yet_invented(void) { return 1; }
#endif
#ifdef V8
void set_flags(const char *) __asm__("_ZN2v82V818SetFlagsFromStringEPKc");
void set_flags(const char *flags) { puts(flags); }
#endif

int print_version(void);
int print_version(void) {
    /* A pointer to the function must lead to mauve, too. */
    const char *(*volatile version)(void) = uv_version_string;
    return printf("%s %s\n", uv_version_string(), version()) < 0;
}

#ifndef LIBRARY
int main(void) { return print_version(); }
#endif
