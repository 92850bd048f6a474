/* Signals: two handles of one signal, a one-shot handle, and a second loop in a thread. */
#include "workload.h"

static uv_loop_t loop, second;
static uv_signal_t first_handle, other_handle, once, in_second;
static int firsts, others, onces, seconds, has_second;
static uv_thread_t thread;
static uv_sem_t is_ready;

static void on_signal(uv_signal_t *signal, int number) {
    (void)number;
    if (signal == &first_handle && ++firsts == 1) end_handle(signal);
    if (signal == &other_handle && ++others == 1) end_handle(signal);
    if (signal == &once && ++onces == 1) end_handle(signal);
}

static void on_second(uv_signal_t *signal, int number) {
    (void)number;
    seconds++;
    uv_close(HANDLE(signal), NULL);
}

static void run_second(void *argument) {
    (void)argument;
    int result = uv_loop_init(&second);
    if (result == 0) {
        result = uv_signal_init(&second, &in_second);
        if (result == 0) {
            result = uv_signal_start(&in_second, on_second, SIGUSR2);
            if (result != 0) uv_close(HANDLE(&in_second), NULL);
        }
        has_second = result == 0;
        uv_sem_post(&is_ready);
        uv_run(&second, UV_RUN_DEFAULT);
        if (uv_loop_close(&second) != 0) lost("the second loop: it does not close");
    } else {
        uv_sem_post(&is_ready);
    }
    if (result != 0) record_error("second loop", result);
}

static void start(uv_signal_t *signal, int number) {
    if (check("signal_init", uv_signal_init(&loop, signal)) != 0) return;
    if (check("signal_start", uv_signal_start(signal, on_signal, number)) != 0) end_handle(signal);
}

int main(void) {
    /* If a handler cannot be installed, the signal must not kill the program. */
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR2, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    uv_sem_init(&is_ready, 0);
    set_injection(1);
    if (!init_loop(&loop)) return exit_code();
    start(&first_handle, SIGUSR1);
    start(&other_handle, SIGUSR1);
    if (check("signal_init", uv_signal_init(&loop, &once)) == 0) {
        int result = uv_signal_start_oneshot(&once, on_signal, SIGHUP);
        if (check("signal_start", result) != 0) end_handle(&once);
    }
    int has_thread = check("thread_create", uv_thread_create(&thread, run_second, NULL)) == 0;
    if (has_thread) uv_sem_wait(&is_ready);
    check("kill", uv_kill(getpid(), SIGUSR1));
    check("kill", uv_kill(getpid(), SIGHUP));
    /* Without injection: only this signal ends the thread. */
    set_injection(0);
    if (has_second) assert(kill(getpid(), SIGUSR2) == 0);
    set_injection(1);
    if (has_thread) uv_thread_join(&thread);
    finish_loop(&loop);
    complete("a signal", firsts == 1 && others == 1 && onces == 1);
    complete("a signal of the second loop", seconds == 1);
    return exit_code();
}
