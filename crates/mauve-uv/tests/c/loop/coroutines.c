/* uv_run on the stack of a coroutine. Its callbacks switch to the program, which uses the loop, and runs it. */
#include "net.h"

#include <ucontext.h>

static uv_loop_t loop;
static uv_timer_t timer, other;
static uv_idle_t idle;
static uv_work_t work;
static ucontext_t program, coroutine;
static int ended;

static void switch_to_program(const char *name) {
    print("%s begins", name);
    assert(swapcontext(&coroutine, &program) == 0);
    print("%s ends", name);
}

static void on_other(uv_timer_t *handle) {
    print("the other timer");
    uv_timer_stop(handle);
}

static void on_timer(uv_timer_t *handle) {
    static int calls;
    switch_to_program("timer");
    if (++calls == 2) uv_close((uv_handle_t *)handle, NULL);
}

static void on_idle(uv_idle_t *handle) {
    uv_idle_stop(handle);
    switch_to_program("idle");
}

static void on_work(uv_work_t *request) { (void)request; }

static void after_work(uv_work_t *request, int status) {
    (void)request;
    assert(status == 0);
    switch_to_program("work");
}

static void run(void) {
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    ended = 1;
    setcontext(&program);
}

int main(void) {
    static char stack[256 << 10];
    int step;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_init(&loop, &other);
    uv_idle_init(&loop, &idle);
    uv_idle_start(&idle, on_idle);
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = sizeof(stack);
    makecontext(&coroutine, run, 0);
    for (step = 0;; step++) {
        assert(swapcontext(&program, &coroutine) == 0);
        if (ended) break;
        print("step %d", step);
        if (step == 0) assert(uv_queue_work(&loop, &work, on_work, after_work) == 0);
        if (step == 1) {
            uv_timer_start(&other, on_other, 0, 0);
            print("nested %d", uv_run(&loop, UV_RUN_NOWAIT));
            uv_timer_start(&timer, on_timer, 1, 1);
        }
    }
    uv_close((uv_handle_t *)&other, NULL);
    uv_close((uv_handle_t *)&idle, NULL);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %d", uv_loop_close(&loop));
    return 0;
}
