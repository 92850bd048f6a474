/* Replaces the waits of a loop: epoll_pwait, and the futex that mauve parks on without descriptors.
 *
 * A wait of the script's thread returns at once, because operations wait for the work that they
 * start (drain_kernel.c), so all events are pending already. Without an event, the clock advances to the
 * timeout. Without a timeout the loop would block forever, and the program ends. */
#include "interp.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>

/* Extra checks of a wait: the kernel closes sockets that were passed in messages asynchronously. */
enum { PASSES = 2 };

/* Waits without a callback after which a loop counts as blocked. */
enum { WAITS = 8 };

_Thread_local bool is_script_thread;

/* Calls the C library's syscall(). */
long syscall_through(long number, long a, long b, long c, long d, long e, long f) {
    static long (*real)(long, ...);
    if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a, b, c, d, e, f);
}

static void block(void) {
    trace("blocked");
    if (lane >= 0) block_lane();
    _exit(0);
}

/* Advances the clock by the timeout of a wait. A loop that waits again and again without a callback
 * would do so forever: it polls a file that does not change. */
static void pass_time(uint64_t ns) {
    static _Thread_local unsigned seen, waits;
    if (seen != lines_of_thread) waits = 0;
    seen = lines_of_thread;
    if (++waits == WAITS) block();
    advance(ns);
}

/* Whether the descriptor that the epoll instance reports as `data` is an eventfd. */
static bool is_eventfd(int epoll, uint64_t data) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", epoll);
    FILE *file = fopen(path, "re");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        int fd;
        unsigned events;
        unsigned long long of;
        if (sscanf(line, "tfd: %d events: %x data: %llx", &fd, &events, &of) != 3) continue;
        if (of != data) continue;
        char link[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        ssize_t length = readlink(path, link, sizeof link - 1);
        link[length < 0 ? 0 : length] = 0;
        found = strstr(link, "eventfd") != NULL;
    }
    if (file) fclose(file);
    return found;
}

/* Moves the wake-up to the front: "Events and finished requests of one poll phase" in
 * docs/switching.md. */
static void order(int epoll, struct epoll_event *events, int count) {
    for (int i = 1; i < count; i++) {
        if (!is_eventfd(epoll, events[i].data.u64)) continue;
        struct epoll_event wakeup = events[i];
        memmove(events + 1, events, (size_t)i * sizeof *events);
        events[0] = wakeup;
    }
}

int epoll_pwait(int epoll, struct epoll_event *events, int count, int timeout,
                const sigset_t *mask) {
    bool may_wait = timeout != 0 && is_script_thread;
    for (int pass = 0;; pass++) {
        long found = syscall_through(SYS_epoll_pwait, epoll, (long)events, count,
                                     may_wait ? 0 : timeout, (long)mask, 8);
        if (is_script_thread && found > 1) order(epoll, events, (int)found);
        if (!may_wait || found != 0) return (int)found;
        if (pass == PASSES) break;
        drain_kernel();
    }
    if (timeout < 0) block();
    pass_time((uint64_t)timeout * 1000000);
    return 0;
}

int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout) {
    return epoll_pwait(epoll, events, count, timeout, NULL);
}

static long wait_for_futex(uint32_t *futex, uint32_t expected, const struct timespec *timeout) {
    for (int pass = 0;; pass++) {
        if (__atomic_load_n(futex, __ATOMIC_SEQ_CST) != expected) {
            errno = EAGAIN;
            return -1;
        }
        if (pass == PASSES) break;
        drain_kernel();
    }
    if (!timeout) block();
    pass_time((uint64_t)timeout->tv_sec * 1000000000 + (uint64_t)timeout->tv_nsec);
    errno = ETIMEDOUT;
    return -1;
}

long syscall(long number, ...) {
    long args[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++) args[i] = va_arg(arguments, long);
    va_end(arguments);
    /* Locks wait with FUTEX_WAIT_BITSET, which is not replaced. */
    if (number == SYS_futex && (args[1] & FUTEX_CMD_MASK) == FUTEX_WAIT && is_script_thread) {
        return wait_for_futex((uint32_t *)args[0], (uint32_t)args[2],
                              (const struct timespec *)args[3]);
    }
    if (number == SYS_epoll_pwait) {
        return epoll_pwait((int)args[0], (struct epoll_event *)args[1], (int)args[2], (int)args[3],
                           (const sigset_t *)args[4]);
    }
    return syscall_through(number, args[0], args[1], args[2], args[3], args[4], args[5]);
}
