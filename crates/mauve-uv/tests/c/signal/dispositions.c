/* The signal disposition while signal handles are started and stopped. */
#include <signal.h>

#include "test.h"

static void on_signal(uv_signal_t *handle, int number) {
    (void)handle;
    print("signal %d", number == SIGUSR1);
}

static void print_disposition(const char *when) {
    struct sigaction action;
    sigaction(SIGUSR1, NULL, &action);
    print("%s: %s, restart %d, reset %d", when,
          action.sa_handler == SIG_DFL   ? "default"
          : action.sa_handler == SIG_IGN ? "ignored"
                                         : "handler",
          !!(action.sa_flags & SA_RESTART), !!(action.sa_flags & SA_RESETHAND));
}

int main(void) {
    uv_loop_t loop;
    uv_signal_t persistent, oneshot, other;

    uv_loop_init(&loop);
    uv_signal_init(&loop, &persistent);
    uv_signal_init(&loop, &oneshot);
    uv_signal_init(&loop, &other);
    signal(SIGUSR1, SIG_IGN);
    print_disposition("before");
    uv_signal_start_oneshot(&oneshot, on_signal, SIGUSR1);
    print_disposition("one-shot");
    uv_signal_start(&persistent, on_signal, SIGUSR1);
    print_disposition("one-shot and persistent");
    uv_signal_start(&other, on_signal, SIGUSR1);
    uv_signal_stop(&other);
    print_disposition("a third handle started and stopped");
    uv_signal_stop(&persistent);
    print_disposition("one-shot only");
    raise(SIGUSR1);
    print_disposition("raised");
    uv_run(&loop, UV_RUN_NOWAIT);
    print_disposition("callback called");
    uv_signal_start(&persistent, on_signal, SIGUSR1);
    print_disposition("persistent only");
    uv_close((uv_handle_t *)&persistent, NULL);
    print_disposition("closed");
    print("close %s", code(close_loop(&loop)));
    return 0;
}
