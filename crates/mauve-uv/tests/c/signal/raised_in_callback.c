/* A signal that a signal callback raises is delivered in the next iteration, so it cannot keep
 * timers from running. A full read of 32 notifications is followed by another one at once. */
#include <signal.h>

#include "say.h"

static uv_loop_t loop;
static uv_signal_t watchers[2];
static uv_check_t check;
static uv_timer_t timer;
static int calls, raise_at, is_due;

static void on_check(uv_check_t *handle) {
    (void)handle;
    say("  check after %d calls", calls);
}

static void on_signal(uv_signal_t *handle, int number) {
    (void)handle;
    calls++;
    if (calls == raise_at) raise(number);
}

/* How many calls each of three iterations has. */
static void iterations(int handles, int raised, int at) {
    say("%d handles, %d raised, one more in call %d", handles, raised, at);
    calls = 0;
    raise_at = at;
    for (int i = 0; i < handles; i++) uv_signal_start(&watchers[i], on_signal, SIGUSR1);
    for (int i = 0; i < raised; i++) raise(SIGUSR1);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    for (int i = 0; i < handles; i++) uv_signal_stop(&watchers[i]);
}

static void on_timer(uv_timer_t *handle) {
    (void)handle;
    is_due = 1;
    uv_signal_stop(&watchers[0]);
    uv_close((uv_handle_t *)&timer, NULL);
}

static void on_own_signal(uv_signal_t *handle, int number) {
    (void)handle;
    calls++;
    raise(number);
}

int main(void) {
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(watchers); i++) uv_signal_init(&loop, &watchers[i]);
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    iterations(1, 1, 1);
    iterations(1, 31, 1);
    iterations(1, 31, 31);
    iterations(1, 32, 1);
    iterations(1, 32, 32);
    iterations(1, 33, 33);
    iterations(1, 100, 40);
    iterations(2, 15, 1);
    iterations(2, 16, 1);
    iterations(2, 16, 32);
    iterations(2, 17, 33);
    uv_check_stop(&check);

    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 20, 0);
    uv_signal_start(&watchers[0], on_own_signal, SIGUSR1);
    calls = 0;
    raise(SIGUSR1);
    uint64_t start = uv_hrtime();
    uv_run(&loop, UV_RUN_DEFAULT);
    say("the timer was due %d, in time %d, after several calls %d", is_due,
        uv_hrtime() - start < 2000000000, calls > 1);
    say("close %s", code(finish(&loop)));
    return 0;
}
