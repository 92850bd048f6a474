/* Numbers that are no signals, starting twice, moving to another signal, stopping with one pending. */
#include <signal.h>

#include "say.h"

static uv_signal_t watcher;

static void first(uv_signal_t *handle, int number) {
    (void)handle;
    say("first: %s", number == SIGUSR1 ? "USR1" : "USR2");
}

static void second(uv_signal_t *handle, int number) {
    (void)handle;
    say("second: %s", number == SIGUSR1 ? "USR1" : "USR2");
}

static void on_timer(uv_timer_t *timer) { (void)timer; }

static void show(const char *what, int result) {
    say("%s: %s, active %d, signum %s", what, code(result), uv_is_active((uv_handle_t *)&watcher),
        watcher.signum == 0         ? "none"
        : watcher.signum == SIGUSR1 ? "USR1"
                                    : "USR2");
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;
    int bad[] = {0, -1, 65, SIGKILL, SIGSTOP, 32};

    uv_loop_init(&loop);
    /* Keeps the loop polling while the watcher is stopped. */
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 100000, 0);
    uv_signal_init(&loop, &watcher);
    show("fresh", uv_signal_stop(&watcher));
    for (size_t i = 0; i < COUNT(bad); i++) {
        uv_signal_start(&watcher, first, SIGUSR1);
        show("bad number", uv_signal_start(&watcher, first, bad[i]));
    }
    show("start", uv_signal_start(&watcher, first, SIGUSR1));
    show("again", uv_signal_start(&watcher, second, SIGUSR1));
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    show("move", uv_signal_start(&watcher, first, SIGUSR2));
    raise(SIGUSR2);
    show("move away", uv_signal_start(&watcher, second, SIGUSR1));
    uv_run(&loop, UV_RUN_NOWAIT);
    raise(SIGUSR1);
    show("stop", uv_signal_stop(&watcher));
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_signal_start(&watcher, first, SIGUSR1);
    raise(SIGUSR1);
    uv_signal_stop(&watcher);
    show("stop and start", uv_signal_start(&watcher, second, SIGUSR1));
    uv_run(&loop, UV_RUN_NOWAIT);
    say("close %s", code(finish(&loop)));
    return 0;
}
