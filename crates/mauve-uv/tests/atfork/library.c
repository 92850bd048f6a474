/* A library that registers pthread_atfork handlers and calls uv_spawn, as uvloop does. With LINKED_IN it defines
 * that function, which leads to the one of libuv, as in uvloop's wheel after it was redirected. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

static int before, after;
static void on_before(void) { before++; }
static void on_parent(void) { after++; }
static void on_child(void) { setenv("HANDLER", "ran", 1); }

void hooked_prepare(void) { pthread_atfork(on_before, on_parent, on_child); }
int hooked_before(void) { return before; }
int hooked_after(void) { return after; }

#ifdef LINKED_IN
int uv_spawn(uv_loop_t *loop, uv_process_t *process, const uv_process_options_t *options) {
    int (*spawn)(uv_loop_t *, uv_process_t *, const uv_process_options_t *);
    *(void **)&spawn = dlsym(RTLD_NEXT, "uv_spawn");
    return spawn(loop, process, options);
}
#endif

int hooked_spawn(uv_loop_t *loop, uv_process_t *process, const uv_process_options_t *options) {
    return uv_spawn(loop, process, options);
}
