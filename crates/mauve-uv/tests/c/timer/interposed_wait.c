/* A program may replace the wait of the C library, as libfaketime does to change how fast time passes. A
 * loop that has only timers calls it, with the time until the next timer. */
#include "../test.h"
#include <dlfcn.h>
#include <signal.h>
#include <sys/epoll.h>

static int longest;

static void note(int timeout) {
    if (timeout > longest) longest = timeout;
}

int epoll_pwait(int fd, struct epoll_event *events, int count, int timeout, const sigset_t *mask) {
    int (*original)(int, struct epoll_event *, int, int, const sigset_t *) =
        dlsym(RTLD_NEXT, "epoll_pwait");
    note(timeout);
    return original(fd, events, count, timeout / 10, mask);
}

int epoll_wait(int fd, struct epoll_event *events, int count, int timeout) {
    int (*original)(int, struct epoll_event *, int, int) = dlsym(RTLD_NEXT, "epoll_wait");
    note(timeout);
    return original(fd, events, count, timeout / 10);
}

static void on_timer(uv_timer_t *timer) {
    uv_close((uv_handle_t *)timer, NULL);
}

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    uv_timer_t timer;
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_timer, 200, 0);
    uv_run(loop, UV_RUN_DEFAULT);
    print("it waits for the timer: %d", longest > 100 && longest <= 200);
    return uv_loop_close(loop);
}
