/* A pending signal is delivered to a handle that was stopped and started again for the same
 * signal, also when it is restarted in the callback of another handle. */
#include <signal.h>

#include "test.h"

static uv_loop_t loop;
static uv_signal_t handles[2];
static int calls;

static void on_signal(uv_signal_t *handle, int number) {
    print("  handle %d: %s", (int)(handle - handles), number == SIGURG ? "URG" : "WINCH");
}

static void on_first(uv_signal_t *handle, int number) {
    on_signal(handle, number);
    if (++calls == 2)
        print("  start %s", code(uv_signal_start_oneshot(&handles[1], on_signal, number)));
}

int main(void) {
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(handles); i++) uv_signal_init(&loop, &handles[i]);

    print("restarted several times");
    for (int round = 0; round < 3; round++) {
        uv_signal_start(&handles[0], on_signal, SIGURG);
        raise(SIGURG);
        uv_signal_start(&handles[0], on_signal, SIGWINCH);
        raise(SIGWINCH);
        raise(SIGURG);
    }
    uv_signal_start(&handles[0], on_signal, SIGURG);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_signal_stop(&handles[0]);
    print("no signal is left");
    uv_signal_start(&handles[0], on_signal, SIGWINCH);
    uv_run(&loop, UV_RUN_NOWAIT);

    print("started in a callback");
    uv_signal_start(&handles[0], on_first, SIGURG);
    uv_signal_start_oneshot(&handles[1], on_signal, SIGURG);
    for (int i = 0; i < 4; i++) raise(SIGURG);
    uv_run(&loop, UV_RUN_NOWAIT);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
