/* needs: mauve */
/* A callback leaves uv_run by longjmp: the remaining callbacks of its phase run in the next
 * uv_run. */
#include <setjmp.h>

#include "test.h"

static uv_loop_t loop;
static jmp_buf back;
static int timers_called, asyncs_called, closed;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    if (++timers_called == 2)
        longjmp(back, 1);
}

static void on_async(uv_async_t *async) {
    (void)async;
    if (++asyncs_called == 2)
        longjmp(back, 1);
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    if (++closed == 2)
        longjmp(back, 1);
}

/* Runs the loop twice: the first run is left by longjmp. */
static void run(void) {
    if (setjmp(back) == 0)
        uv_run(&loop, UV_RUN_NOWAIT);
    uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    uv_timer_t timers[4];
    uv_async_t asyncs[4];
    int i;

    EXPECT(uv_loop_init(&loop), 0);
    for (i = 0; i < 4; i++) {
        uv_timer_init(&loop, &timers[i]);
        uv_timer_start(&timers[i], on_timer, 0, 0);
    }
    run();
    EXPECT(timers_called, 4);
    for (i = 0; i < 4; i++) {
        uv_async_init(&loop, &asyncs[i], on_async);
        uv_async_send(&asyncs[i]);
    }
    run();
    EXPECT(asyncs_called, 4);
    for (i = 0; i < 4; i++) {
        uv_close((uv_handle_t *)&timers[i], on_close);
        uv_close((uv_handle_t *)&asyncs[i], on_close);
    }
    run();
    EXPECT(closed, 8);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
