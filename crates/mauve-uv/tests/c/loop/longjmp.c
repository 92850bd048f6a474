/* Callbacks that leave uv_run by longjmp; the loop can be run again. */
#include <setjmp.h>

#include "test.h"

static uv_loop_t loop;
static jmp_buf back;
static int remaining;

static void maybe_longjmp(const char *what) {
    print("%s", what);
    if (remaining-- > 0)
        longjmp(back, 1);
}

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    maybe_longjmp("timer");
}

static void on_check(uv_check_t *check) {
    uv_check_stop(check);
    maybe_longjmp("check");
}

static void on_async(uv_async_t *async) {
    maybe_longjmp("async");
    uv_close((uv_handle_t *)async, NULL);
}

/* A nested uv_run is left by longjmp; the outer callback continues. */
static void on_idle(uv_idle_t *idle) {
    uv_idle_stop(idle);
    print("idle");
    uv_timer_start(idle->data, on_timer, 1, 0);
    remaining = 1;
    if (setjmp(back) == 0)
        uv_run(&loop, UV_RUN_DEFAULT);
    print("idle ends");
}

int main(void) {
    uv_timer_t timer;
    uv_check_t check;
    uv_async_t async;
    uv_idle_t idle;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 1, 1);
    remaining = 3;
    if (setjmp(back) != 0)
        print("after longjmp");
    if (remaining > 0)
        uv_run(&loop, UV_RUN_DEFAULT);
    uv_timer_stop(&timer);

    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    remaining = 1;
    if (setjmp(back) == 0)
        uv_run(&loop, UV_RUN_NOWAIT);

    uv_async_init(&loop, &async, on_async);
    uv_async_send(&async);
    remaining = 1;
    if (setjmp(back) == 0)
        uv_run(&loop, UV_RUN_DEFAULT);
    uv_async_send(&async);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));

    uv_idle_init(&loop, &idle);
    idle.data = &timer;
    uv_idle_start(&idle, on_idle);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    remaining = 0;
    uv_timer_start(&timer, on_timer, 1, 0);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));

    uv_close((uv_handle_t *)&timer, NULL);
    uv_close((uv_handle_t *)&check, NULL);
    uv_close((uv_handle_t *)&idle, NULL);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close: %d", uv_loop_close(&loop));
    return 0;
}
