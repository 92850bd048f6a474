/* A nested run is left for the coroutine of the outer run, and is continued later. */
#include "net.h"

#include <ucontext.h>

static uv_loop_t loop;
static uv_idle_t idle;
static uv_check_t check;
static uv_prepare_t prepares[3];
/* Of the program and of the coroutine, which runs the loop first. */
static ucontext_t stacks[2];
static int current, ended, leaves_idle;

static void go_to_other(const char *name) {
    int from = current;
    print("%s leaves stack %d", name, from);
    current = !from;
    assert(swapcontext(&stacks[from], &stacks[current]) == 0);
    print("%s is back", name);
}

static void on_prepare(uv_prepare_t *prepare) {
    static int calls;
    print("prepare %d", (int) (prepare - prepares));
    if (prepare == &prepares[1] && ++calls <= 2) go_to_other("prepare");
}

static void on_idle(uv_idle_t *handle) {
    (void) handle;
    if (!leaves_idle) return;
    leaves_idle = 0;
    go_to_other("idle");
}

/* Each run that calls it switches to the other one. */
static void on_check(uv_check_t *handle) {
    static int calls;
    int call = ++calls;
    print("check, call %d", call);
    go_to_other("check");
    print("call %d ends", call);
    if (call < 6) return;
    uv_idle_stop(&idle);
    uv_check_stop(handle);
}

static void run(void) {
    print("outer run %d", uv_run(&loop, UV_RUN_DEFAULT));
    ended = 1;
    for (;;) go_to_other("the ended coroutine");
}

int main(void) {
    static char stack[256 << 10];
    int i;
    uv_loop_init(&loop);
    uv_idle_init(&loop, &idle);
    for (i = 0; i < 3; i++) uv_prepare_init(&loop, &prepares[i]);
    uv_check_init(&loop, &check);
    getcontext(&stacks[1]);
    stacks[1].uc_stack.ss_sp = stack;
    stacks[1].uc_stack.ss_size = sizeof(stack);
    makecontext(&stacks[1], run, 0);

    /* The outer run is left in the middle of its prepare handles, the nested one in its idle handles. */
    for (i = 0; i < 3; i++) uv_prepare_start(&prepares[i], on_prepare);
    uv_idle_start(&idle, on_idle);
    go_to_other("main");
    leaves_idle = 1;
    print("nested run %d", uv_run(&loop, UV_RUN_NOWAIT));
    for (i = 0; i < 3; i++) uv_prepare_stop(&prepares[i]);

    /* The two runs take turns. */
    uv_check_start(&check, on_check);
    print("nested run %d", uv_run(&loop, UV_RUN_DEFAULT));
    while (!ended) go_to_other("main");
    uv_close((uv_handle_t *) &check, NULL);
    uv_close((uv_handle_t *) &idle, NULL);
    for (i = 0; i < 3; i++) uv_close((uv_handle_t *) &prepares[i], NULL);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %d", uv_loop_close(&loop));
    return 0;
}
