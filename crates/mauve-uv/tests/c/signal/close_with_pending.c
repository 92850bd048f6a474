/* A watcher that is closed with a signal pending: nothing is heard but the end. */
#include <signal.h>

#include "say.h"

static uv_signal_t a, b;

static void on_close(uv_handle_t *handle) { say("closed %s", handle == (uv_handle_t *)&a ? "a" : "b"); }

static void on_signal(uv_signal_t *watcher, int number) {
    (void)number;
    say("heard by %s", watcher == &a ? "a" : "b");
    if (!uv_is_closing((uv_handle_t *)&b)) uv_close((uv_handle_t *)&b, on_close);
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    uv_signal_init(&loop, &a);
    uv_signal_init(&loop, &b);
    uv_signal_start(&a, on_signal, SIGUSR1);
    uv_signal_start(&b, on_signal, SIGUSR1);
    raise(SIGUSR1);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    raise(SIGUSR1);
    uv_close((uv_handle_t *)&a, on_close);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
