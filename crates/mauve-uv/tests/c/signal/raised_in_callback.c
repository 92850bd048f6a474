/* A signal that is raised in a signal callback is delivered in the next iteration, so it cannot
 * starve timers. After a full read of 32 notifications, the pipe is read again at once. */
#include <signal.h>

#include "test.h"

static uv_loop_t loop;
static uv_signal_t handles[2];
static uv_check_t check;
static uv_timer_t timer;
static int calls, raise_at, is_due;

static void on_check(uv_check_t *handle) {
    (void)handle;
    print("  check after %d calls", calls);
}

static void on_signal(uv_signal_t *handle, int number) {
    (void)handle;
    calls++;
    if (calls == raise_at) raise(number);
}

/* Prints the number of calls in each of three iterations. */
static void run_iterations(int count, int raised, int at) {
    print("%d handles, %d raised, another raised in call %d", count, raised, at);
    calls = 0;
    raise_at = at;
    for (int i = 0; i < count; i++) uv_signal_start(&handles[i], on_signal, SIGUSR1);
    for (int i = 0; i < raised; i++) raise(SIGUSR1);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    for (int i = 0; i < count; i++) uv_signal_stop(&handles[i]);
}

static void on_timer(uv_timer_t *handle) {
    (void)handle;
    is_due = 1;
    uv_signal_stop(&handles[0]);
    uv_close((uv_handle_t *)&timer, NULL);
}

static void on_own_signal(uv_signal_t *handle, int number) {
    (void)handle;
    calls++;
    raise(number);
}

int main(void) {
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(handles); i++) uv_signal_init(&loop, &handles[i]);
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    run_iterations(1, 1, 1);
    run_iterations(1, 31, 1);
    run_iterations(1, 31, 31);
    run_iterations(1, 32, 1);
    run_iterations(1, 32, 32);
    run_iterations(1, 33, 33);
    run_iterations(1, 100, 40);
    run_iterations(2, 15, 1);
    run_iterations(2, 16, 1);
    run_iterations(2, 16, 32);
    run_iterations(2, 17, 33);
    uv_check_stop(&check);

    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 20, 0);
    uv_signal_start(&handles[0], on_own_signal, SIGUSR1);
    calls = 0;
    raise(SIGUSR1);
    uint64_t start = uv_hrtime();
    uv_run(&loop, UV_RUN_DEFAULT);
    print("the timer was due %d, in time %d, after several calls %d", is_due,
          uv_hrtime() - start < 2000000000, calls > 1);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
