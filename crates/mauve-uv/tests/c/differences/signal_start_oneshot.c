/* needs: mauve */
/* uv_signal_start_oneshot while the signal of another one-shot handle is pending: the new handle
 * gets the next signal. With libuv the process is killed by it. */
#include "test.h"

#include <signal.h>

static void on_signal(uv_signal_t *signal, int number) {
    EXPECT(number, SIGUSR1);
    record_event(signal->data);
}

int main(void) {
    uv_loop_t loop;
    uv_signal_t first, second;
    uv_loop_init(&loop);
    uv_signal_init(&loop, &first);
    uv_signal_init(&loop, &second);
    first.data = "first";
    second.data = "second";
    EXPECT(uv_signal_start_oneshot(&first, on_signal, SIGUSR1), 0);
    raise(SIGUSR1);
    EXPECT(uv_signal_start_oneshot(&second, on_signal, SIGUSR1), 0);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(strstr(event_log, "first") != NULL && strstr(event_log, "second") != NULL, 1);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
