/* needs: 1.52 */
/* uv_loop_close in the last close callback ends uv_run, in every mode. */
#include "test.h"

static uv_loop_t loop;

static void on_close(uv_handle_t *handle) {
    (void)handle;
    EXPECT(uv_loop_close(&loop), 0);
}

static void on_timer(uv_timer_t *timer) { uv_close((uv_handle_t *)timer, on_close); }

int main(void) {
    uv_run_mode modes[] = {UV_RUN_DEFAULT, UV_RUN_ONCE, UV_RUN_NOWAIT};
    uv_timer_t timer;
    int i;

    for (i = 0; i < 3; i++) {
        EXPECT(uv_loop_init(&loop), 0);
        uv_timer_init(&loop, &timer);
        uv_timer_start(&timer, on_timer, 0, 0);
        while (uv_run(&loop, modes[i]) != 0)
            continue;
    }
    return 0;
}
