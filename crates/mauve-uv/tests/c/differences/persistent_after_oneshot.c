/* needs: mauve */
/* A handle that was a one-shot watch before, and is then started with uv_signal_start, receives
 * every signal. In libuv it stays a one-shot watch for ever, so the second signal is lost or ends
 * the process. */
#include <signal.h>

#include "say.h"

static int calls;

static void on_signal(uv_signal_t *handle, int number) {
    (void)handle;
    (void)number;
    calls++;
}

int main(void) {
    uv_loop_t loop;
    uv_signal_t watcher;
    uv_loop_init(&loop);
    uv_signal_init(&loop, &watcher);
    EXPECT(uv_signal_start_oneshot(&watcher, on_signal, SIGUSR1), 0);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(calls, 1);
    EXPECT(uv_is_active((uv_handle_t *)&watcher), 0);
    EXPECT(uv_signal_start(&watcher, on_signal, SIGUSR1), 0);
    for (int i = 0; i < 3; i++) {
        raise(SIGUSR1);
        uv_run(&loop, UV_RUN_NOWAIT);
        EXPECT(calls, 2 + i);
        EXPECT(uv_is_active((uv_handle_t *)&watcher), 1);
    }
    EXPECT(finish(&loop), 0);
    return 0;
}
