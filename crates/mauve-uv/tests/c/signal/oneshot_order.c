/* A handle that was ever started for one delivery is called after the others, and stopped by each
 * delivery, also if it was started for all deliveries since. */
#include <signal.h>

#include "test.h"

static uv_signal_t handles[3];

static void on_signal(uv_signal_t *handle, int number) {
    (void)number;
    print("  handle %d", (int)(handle - handles));
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(handles); i++) uv_signal_init(&loop, &handles[i]);
    uv_signal_start_oneshot(&handles[0], on_signal, SIGUSR1);
    uv_signal_start(&handles[0], on_signal, SIGUSR2);
    uv_signal_start(&handles[1], on_signal, SIGUSR2);
    uv_signal_start(&handles[2], on_signal, SIGUSR2);
    for (int i = 0; i < 2; i++) {
        print("raise");
        raise(SIGUSR2);
        uv_run(&loop, UV_RUN_NOWAIT);
        print("active %d", uv_is_active((uv_handle_t *)&handles[0]));
    }
    print("close %s", code(close_loop(&loop)));
    return 0;
}
