/* What the process does on a signal, while watchers come and go. */
#include <signal.h>

#include "say.h"

static void on_signal(uv_signal_t *watcher, int number) {
    (void)watcher;
    say("heard %d", number == SIGUSR1);
}

static void show(const char *when) {
    struct sigaction action;
    sigaction(SIGUSR1, NULL, &action);
    say("%s: %s, restart %d, reset %d", when,
        action.sa_handler == SIG_DFL   ? "default"
        : action.sa_handler == SIG_IGN ? "ignored"
                                       : "handler",
        !!(action.sa_flags & SA_RESTART), !!(action.sa_flags & SA_RESETHAND));
}

int main(void) {
    uv_loop_t loop;
    uv_signal_t lasting, once, other;

    uv_loop_init(&loop);
    uv_signal_init(&loop, &lasting);
    uv_signal_init(&loop, &once);
    uv_signal_init(&loop, &other);
    signal(SIGUSR1, SIG_IGN);
    show("before");
    uv_signal_start_oneshot(&once, on_signal, SIGUSR1);
    show("one-shot");
    uv_signal_start(&lasting, on_signal, SIGUSR1);
    show("and lasting");
    uv_signal_start(&other, on_signal, SIGUSR1);
    uv_signal_stop(&other);
    show("a third has come and gone");
    uv_signal_stop(&lasting);
    show("one-shot alone again");
    raise(SIGUSR1);
    show("delivered");
    uv_run(&loop, UV_RUN_NOWAIT);
    show("and told");
    uv_signal_start(&lasting, on_signal, SIGUSR1);
    show("lasting alone");
    uv_close((uv_handle_t *)&lasting, NULL);
    show("closed");
    say("close %s", code(finish(&loop)));
    return 0;
}
