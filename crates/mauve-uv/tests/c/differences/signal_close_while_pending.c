/* needs: mauve */
/* A signal handle that is closed while its signal is in the pipe: the close callback runs in the
 * same iteration, as for any other handle. */
#include "test.h"

#include <signal.h>

static uv_signal_t handle;
static int closed;

static void never(uv_signal_t *signal, int number) {
    (void)signal;
    (void)number;
    abort();
}

static void on_close(uv_handle_t *closing) {
    (void)closing;
    closed++;
}

/* Runs after the poll phase, so the pipe is not read before the close phase. */
static void on_check(uv_check_t *check) {
    EXPECT(raise(SIGUSR1), 0);
    uv_close((uv_handle_t *)&handle, on_close);
    uv_close((uv_handle_t *)check, on_close);
}

int main(void) {
    uv_loop_t loop;
    uv_check_t check;
    EXPECT(uv_loop_init(&loop), 0);
    EXPECT(uv_signal_init(&loop, &handle), 0);
    EXPECT(uv_check_init(&loop, &check), 0);
    EXPECT(uv_signal_start(&handle, never, SIGUSR1), 0);
    EXPECT(uv_check_start(&check, on_check), 0);
    uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(closed, 2);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
