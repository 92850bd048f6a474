/* A handle receives what was delivered while it watched for a signal, if it watches for the same
 * signal again by the time it is its turn: after several other watches, and when it is started in
 * the callback of another handle for the same delivery. */
#include <signal.h>

#include "say.h"

static uv_loop_t loop;
static uv_signal_t watchers[2];
static int calls;

static void on_signal(uv_signal_t *handle, int number) {
    say("  handle %d: %s", (int)(handle - watchers), number == SIGURG ? "URG" : "WINCH");
}

static void on_first(uv_signal_t *handle, int number) {
    on_signal(handle, number);
    if (++calls == 2) say("  start %s", code(uv_signal_start_oneshot(&watchers[1], on_signal, number)));
}

int main(void) {
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(watchers); i++) uv_signal_init(&loop, &watchers[i]);

    say("several watches");
    for (int round = 0; round < 3; round++) {
        uv_signal_start(&watchers[0], on_signal, SIGURG);
        raise(SIGURG);
        uv_signal_start(&watchers[0], on_signal, SIGWINCH);
        raise(SIGWINCH);
        raise(SIGURG);
    }
    uv_signal_start(&watchers[0], on_signal, SIGURG);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_signal_stop(&watchers[0]);
    say("none is left over");
    uv_signal_start(&watchers[0], on_signal, SIGWINCH);
    uv_run(&loop, UV_RUN_NOWAIT);

    say("started in a callback");
    uv_signal_start(&watchers[0], on_first, SIGURG);
    uv_signal_start_oneshot(&watchers[1], on_signal, SIGURG);
    for (int i = 0; i < 4; i++) raise(SIGURG);
    uv_run(&loop, UV_RUN_NOWAIT);
    say("close %s", code(finish(&loop)));
    return 0;
}
