/* Ends a program that makes no progress, and traces whether it hangs or spins. Waits of the script's
 * thread return at once (wait.c), so a healthy program always makes progress. */
#include "interp.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

enum { TIMEOUT_MS = 2000, STEP_MS = 100, LIMIT_S = 8 };

atomic_int waiting;
pid_t watchdog_thread;
static pid_t watched;

/* `S` for a thread that sleeps, `R` for one that runs. */
static char state_of(pid_t thread) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    FILE *file = fopen(path, "r");
    if (!file) return '?';
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    char *end = strrchr(text, ')');
    return end ? end[2] : '?';
}

static bool sleeps(void) {
    for (int i = 0; i < 5; i++) {
        if (state_of(watched) != 'S') return false;
        usleep(300);
    }
    return true;
}

static void *watch(void *argument) {
    (void)argument;
    watchdog_thread = (pid_t)syscall(SYS_gettid);
    unsigned seen = atomic_load(&progress);
    for (int quiet = 0;;) {
        usleep(STEP_MS * 1000);
        unsigned current = atomic_load(&progress);
        quiet = current == seen && !atomic_load(&waiting) ? quiet + 1 : 0;
        seen = current;
        if (quiet * STEP_MS < TIMEOUT_MS) continue;
        bool asleep = sleeps();
        if (atomic_load(&progress) != seen) continue;
        trace(asleep ? "hanging" : "spinning");
        _exit(0);
    }
}

void watch_thread(void) { watched = (pid_t)syscall(SYS_gettid); }

void start_watchdog(void) {
    watch_thread();
    /* A last resort, in case the watchdog thread cannot run: SIGKILL cannot be blocked. */
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    struct itimerspec limit = {.it_value.tv_sec = LIMIT_S};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &limit, NULL)) {
        _exit(3);
    }
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch, NULL)) _exit(3);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}
