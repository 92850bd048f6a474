/* A handle that was started for one delivery stays a one-shot handle when it is started again. */
#include "../say.h"

#include <signal.h>

static void on_signal(uv_signal_t *handle, int number) {
    (void)handle;
    say("signal %d", number == SIGUSR1 ? 1 : 2);
}

int main(void) {
    uv_loop_t loop;
    uv_signal_t handle, other;
    uv_loop_init(&loop);
    uv_signal_init(&loop, &handle);
    uv_signal_start_oneshot(&handle, on_signal, SIGUSR2);
    uv_signal_start(&handle, on_signal, SIGUSR1);
    raise(SIGUSR1);
    say("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("active: %d", uv_is_active((uv_handle_t *)&handle));

    /* The delivery was for another signal than it watches for now: it is stopped all the same. */
    uv_signal_init(&loop, &other);
    uv_signal_start(&other, on_signal, SIGUSR1);
    raise(SIGUSR1);
    uv_signal_start_oneshot(&other, on_signal, SIGUSR2);
    say("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("active: %d", uv_is_active((uv_handle_t *)&other));
    say("end: %s", code(finish(&loop)));
    return 0;
}
