/* Replaces the waits of a loop: epoll_pwait, and the futex that mauve parks on without descriptors.
 *
 * A wait of the script's thread returns at once, because operations wait for the work that they
 * start (settle.c), so all events are pending already. Without an event, the clock advances to the
 * timeout. Without a timeout the loop would block forever, and the program ends. */
#include "interp.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>

/* Extra checks of a wait: the kernel closes sockets that were passed in messages asynchronously. */
enum { ROUNDS = 2 };

_Thread_local bool is_script_thread;

/* Calls the C library's syscall(). */
long syscall_through(long number, long a, long b, long c, long d, long e, long f) {
    static long (*real)(long, ...);
    if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a, b, c, d, e, f);
}

static void block(void) {
    trace("blocked");
    _exit(0);
}

int epoll_pwait(int epoll, struct epoll_event *events, int count, int timeout,
                const sigset_t *mask) {
    bool may_wait = timeout != 0 && is_script_thread;
    for (int round = 0;; round++) {
        long found = syscall_through(SYS_epoll_pwait, epoll, (long)events, count,
                                     may_wait ? 0 : timeout, (long)mask, 8);
        if (!may_wait || found != 0) return (int)found;
        if (round == ROUNDS) break;
        settle();
    }
    if (timeout < 0) block();
    advance((uint64_t)timeout * 1000000);
    return 0;
}

int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout) {
    return epoll_pwait(epoll, events, count, timeout, NULL);
}

static long wait_for_futex(uint32_t *futex, uint32_t expected, const struct timespec *timeout) {
    for (int round = 0;; round++) {
        if (__atomic_load_n(futex, __ATOMIC_SEQ_CST) != expected) {
            errno = EAGAIN;
            return -1;
        }
        if (round == ROUNDS) break;
        settle();
    }
    if (!timeout) block();
    advance((uint64_t)timeout->tv_sec * 1000000000 + (uint64_t)timeout->tv_nsec);
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
