/* The public field `signum` is 0 when the handle watches no signal, also while it closes. */
#include "test.h"

#include <signal.h>

static void on_signal(uv_signal_t *signal, int number) {
    print("signal, signum is %s", signal->signum == number ? "the number" : "another number");
}

static void on_close(uv_handle_t *handle) {
    print("close callback: %d", ((uv_signal_t *)handle)->signum);
}

static void close_it(uv_signal_t *signal) {
    uv_close((uv_handle_t *)signal, on_close);
    print("closing: %d", signal->signum);
    uv_run(signal->loop, UV_RUN_DEFAULT);
}

int main(void) {
    uv_loop_t loop;
    uv_signal_t signal;
    uv_loop_init(&loop);

    uv_signal_init(&loop, &signal);
    print("initialised: %d", signal.signum);
    close_it(&signal);

    uv_signal_init(&loop, &signal);
    uv_signal_start(&signal, on_signal, SIGUSR1);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_ONCE);
    close_it(&signal);

    uv_signal_init(&loop, &signal);
    uv_signal_start_oneshot(&signal, on_signal, SIGUSR1);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_ONCE);
    print("after one shot: %d", signal.signum);
    close_it(&signal);

    print("loop close: %s", code(uv_loop_close(&loop)));
    return 0;
}
