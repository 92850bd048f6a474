/* Every raise reaches every watcher, in the order of the raises; lasting watchers come first. */
#include <signal.h>

#include "say.h"

static uv_signal_t watchers[5];

static void on_signal(uv_signal_t *watcher, int number) {
    say("watcher %d hears %s, active %d, signum %s", (int)(watcher - watchers),
        number == SIGUSR1 ? "USR1" : "USR2", uv_is_active((uv_handle_t *)watcher),
        watcher->signum == number ? "the same" : "another");
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(watchers); i++) uv_signal_init(&loop, &watchers[i]);
    uv_signal_start(&watchers[2], on_signal, SIGUSR1);
    uv_signal_start_oneshot(&watchers[1], on_signal, SIGUSR1);
    uv_signal_start(&watchers[0], on_signal, SIGUSR1);
    uv_signal_start(&watchers[3], on_signal, SIGUSR2);
    raise(SIGUSR1);
    raise(SIGUSR2);
    raise(SIGUSR1);
    say("a watcher that comes too late");
    uv_signal_start(&watchers[4], on_signal, SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    say("one-shot: active %d, signum %d", uv_is_active((uv_handle_t *)&watchers[1]),
        watchers[1].signum);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    say("close %s", code(finish(&loop)));
    return 0;
}
