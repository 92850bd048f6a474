/* Every raise is delivered to every handle, in the order of the raises. Persistent handles come
 * before one-shot ones. */
#include <signal.h>

#include "test.h"

static uv_signal_t handles[5];

static void on_signal(uv_signal_t *handle, int number) {
    print("handle %d: %s, active %d, signum %s", (int)(handle - handles),
          number == SIGUSR1 ? "USR1" : "USR2", uv_is_active((uv_handle_t *)handle),
          handle->signum == number ? "the same" : "another");
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(handles); i++) uv_signal_init(&loop, &handles[i]);
    uv_signal_start(&handles[2], on_signal, SIGUSR1);
    uv_signal_start_oneshot(&handles[1], on_signal, SIGUSR1);
    uv_signal_start(&handles[0], on_signal, SIGUSR1);
    uv_signal_start(&handles[3], on_signal, SIGUSR2);
    raise(SIGUSR1);
    raise(SIGUSR2);
    raise(SIGUSR1);
    print("a handle that is started later");
    uv_signal_start(&handles[4], on_signal, SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    print("one-shot: active %d, signum %d", uv_is_active((uv_handle_t *)&handles[1]),
          handles[1].signum);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
