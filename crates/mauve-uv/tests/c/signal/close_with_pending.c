/* uv_close of a signal handle with a pending signal: only the close callback runs. */
#include <signal.h>

#include "test.h"

static uv_signal_t a, b;

static void on_close(uv_handle_t *handle) { print("closed %s",
                                                  handle == (uv_handle_t *)&a ? "a" : "b"); }

static void on_signal(uv_signal_t *handle, int number) {
    (void)number;
    print("signal for %s", handle == &a ? "a" : "b");
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
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
