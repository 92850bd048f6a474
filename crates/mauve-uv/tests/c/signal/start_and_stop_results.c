/* uv_signal_start and uv_signal_stop: invalid signals, starting twice, changing the signal,
 * stopping with a pending signal. */
#include <signal.h>

#include "test.h"

static uv_signal_t handle;

static void on_first(uv_signal_t *handle, int number) {
    (void)handle;
    print("first: %s", number == SIGUSR1 ? "USR1" : "USR2");
}

static void on_second(uv_signal_t *handle, int number) {
    (void)handle;
    print("second: %s", number == SIGUSR1 ? "USR1" : "USR2");
}

static void on_timer(uv_timer_t *timer) { (void)timer; }

static void print_result(const char *what, int result) {
    print("%s: %s, active %d, signum %s", what, code(result), uv_is_active((uv_handle_t *)&handle),
          handle.signum == 0         ? "none"
          : handle.signum == SIGUSR1 ? "USR1"
                                      : "USR2");
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;
    int bad[] = {0, -1, 65, SIGKILL, SIGSTOP, 32};

    uv_loop_init(&loop);
    /* Keeps the loop alive while the signal handle is stopped. */
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 100000, 0);
    uv_signal_init(&loop, &handle);
    print_result("not started", uv_signal_stop(&handle));
    for (size_t i = 0; i < COUNT(bad); i++) {
        uv_signal_start(&handle, on_first, SIGUSR1);
        print_result("bad number", uv_signal_start(&handle, on_first, bad[i]));
    }
    print_result("start", uv_signal_start(&handle, on_first, SIGUSR1));
    print_result("again", uv_signal_start(&handle, on_second, SIGUSR1));
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    print_result("change signal", uv_signal_start(&handle, on_first, SIGUSR2));
    raise(SIGUSR2);
    print_result("change signal with one pending", uv_signal_start(&handle, on_second, SIGUSR1));
    uv_run(&loop, UV_RUN_NOWAIT);
    raise(SIGUSR1);
    print_result("stop", uv_signal_stop(&handle));
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_signal_start(&handle, on_first, SIGUSR1);
    raise(SIGUSR1);
    uv_signal_stop(&handle);
    print_result("stop and start", uv_signal_start(&handle, on_second, SIGUSR1));
    uv_run(&loop, UV_RUN_NOWAIT);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
