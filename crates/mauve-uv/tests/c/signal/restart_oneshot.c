/* A one-shot handle stays one-shot when it is started again with uv_signal_start. */
#include "../test.h"

#include <signal.h>

static void on_signal(uv_signal_t *handle, int number) {
    (void)handle;
    print("signal %d", number == SIGUSR1 ? 1 : 2);
}

int main(void) {
    uv_loop_t loop;
    uv_signal_t handle, other;
    uv_loop_init(&loop);
    uv_signal_init(&loop, &handle);
    uv_signal_start_oneshot(&handle, on_signal, SIGUSR2);
    uv_signal_start(&handle, on_signal, SIGUSR1);
    raise(SIGUSR1);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("active: %d", uv_is_active((uv_handle_t *)&handle));

    /* The pending delivery is for the previous signal: the handle is stopped all the same. */
    uv_signal_init(&loop, &other);
    uv_signal_start(&other, on_signal, SIGUSR1);
    raise(SIGUSR1);
    uv_signal_start_oneshot(&other, on_signal, SIGUSR2);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("active: %d", uv_is_active((uv_handle_t *)&other));
    print("close: %s", code(close_loop(&loop)));
    return 0;
}
