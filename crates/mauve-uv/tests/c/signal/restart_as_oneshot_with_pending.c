/* A handle is started as a one-shot handle for another signal while a signal that it watched for is pending. The
 * order of the callbacks is the one at the time of the delivery: the handle comes first, does not watch for the
 * signal any more, and is stopped. */
#include "test.h"

static uv_signal_t handles[2];

static void on_first(uv_signal_t *handle, int signal) {
    (void)handle;
    print("  first %d", signal == SIGUSR1 ? 1 : 2);
}

static void on_second(uv_signal_t *handle, int signal) {
    (void)handle;
    print("  second %d", signal == SIGUSR1 ? 1 : 2);
    print("  start first %s", code(uv_signal_start(&handles[0], on_first, SIGUSR1)));
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(handles); i++) uv_signal_init(&loop, &handles[i]);
    print("start first %s", code(uv_signal_start(&handles[0], on_first, SIGUSR1)));
    print("start second %s", code(uv_signal_start(&handles[1], on_second, SIGUSR1)));
    raise(SIGUSR1);
    print("start first as one-shot %s", code(uv_signal_start_oneshot(&handles[0], on_first, SIGUSR2)));
    for (int i = 0; i < 3; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        print("first active %d, second active %d", uv_is_active((uv_handle_t *)&handles[0]),
              uv_is_active((uv_handle_t *)&handles[1]));
    }
    uv_walk(&loop, close_walked, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
