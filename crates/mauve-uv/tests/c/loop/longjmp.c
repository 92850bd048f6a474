/* Callbacks that leave uv_run by longjmp; the loop is run again. */
#include <setjmp.h>

#include "say.h"

static uv_loop_t loop;
static jmp_buf back;
static int left;

static void leave(const char *what) {
    say("%s", what);
    if (left-- > 0)
        longjmp(back, 1);
}

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    leave("timer");
}

static void on_check(uv_check_t *check) {
    uv_check_stop(check);
    leave("check");
}

static void on_async(uv_async_t *async) {
    leave("async");
    uv_close((uv_handle_t *)async, NULL);
}

/* Another run, in which a callback leaves, inside a callback that goes on. */
static void on_idle(uv_idle_t *idle) {
    uv_idle_stop(idle);
    say("idle");
    uv_timer_start(idle->data, on_timer, 1, 0);
    left = 1;
    if (setjmp(back) == 0)
        uv_run(&loop, UV_RUN_DEFAULT);
    say("idle ends");
}

int main(void) {
    uv_timer_t timer;
    uv_check_t check;
    uv_async_t async;
    uv_idle_t idle;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 1, 1);
    left = 3;
    if (setjmp(back) != 0)
        say("left");
    if (left > 0)
        uv_run(&loop, UV_RUN_DEFAULT);
    uv_timer_stop(&timer);

    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    left = 1;
    if (setjmp(back) == 0)
        uv_run(&loop, UV_RUN_NOWAIT);

    uv_async_init(&loop, &async, on_async);
    uv_async_send(&async);
    left = 1;
    if (setjmp(back) == 0)
        uv_run(&loop, UV_RUN_DEFAULT);
    uv_async_send(&async);
    say("run: %d", uv_run(&loop, UV_RUN_DEFAULT));

    uv_idle_init(&loop, &idle);
    idle.data = &timer;
    uv_idle_start(&idle, on_idle);
    say("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    left = 0;
    uv_timer_start(&timer, on_timer, 1, 0);
    say("run: %d", uv_run(&loop, UV_RUN_DEFAULT));

    uv_close((uv_handle_t *)&timer, NULL);
    uv_close((uv_handle_t *)&check, NULL);
    uv_close((uv_handle_t *)&idle, NULL);
    say("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close: %d", uv_loop_close(&loop));
    return 0;
}
