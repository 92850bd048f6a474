/* The notification of a request that was reported does not end the next wait. Such a wait is followed by
 * one that is shorter by the time that callbacks have taken since the loop has read its clock. */
#include "../test.h"
#include <dlfcn.h>
#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

static int waits_for_timer, ended_by_event;

/* Whether there is an event before a wait for the timer begins. */
static void note(int timeout, int ready) {
    if (waits_for_timer && timeout > 0) ended_by_event += ready > 0;
}

int epoll_pwait(int fd, struct epoll_event *events, int count, int timeout, const sigset_t *mask) {
    int (*original)(int, struct epoll_event *, int, int, const sigset_t *) =
        dlsym(RTLD_NEXT, "epoll_pwait");
    int ready = original(fd, events, count, 0, mask);
    note(timeout, ready);
    return ready != 0 || timeout == 0 ? ready : original(fd, events, count, timeout, mask);
}

int epoll_wait(int fd, struct epoll_event *events, int count, int timeout) {
    int (*original)(int, struct epoll_event *, int, int) = dlsym(RTLD_NEXT, "epoll_wait");
    int ready = original(fd, events, count, 0);
    note(timeout, ready);
    return ready != 0 || timeout == 0 ? ready : original(fd, events, count, timeout);
}

static uv_loop_t loop;

static void on_work(uv_work_t *work) {
    (void)work;
}

static void after_work(uv_work_t *work, int status) {
    (void)work;
    print("worked: %s", code(status));
}

static void on_timer(uv_timer_t *timer) {
    uv_close((uv_handle_t *)timer, NULL);
}

static void check(uv_run_mode mode) {
    uv_work_t work;
    uv_timer_t timer;
    uv_queue_work(&loop, &work, on_work, after_work);
    /* Long enough for a thread to finish the work, usually. */
    usleep(30000);
    while (uv_run(&loop, mode) != 0) continue;
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 20, 0);
    waits_for_timer = 1;
    uv_run(&loop, UV_RUN_DEFAULT);
    waits_for_timer = 0;
    print("waits ended by an event: %d", ended_by_event);
}

int main(void) {
    uv_loop_init(&loop);
    check(UV_RUN_DEFAULT);
    check(UV_RUN_ONCE);
    check(UV_RUN_NOWAIT);
    print("loop %s", code(uv_loop_close(&loop)));
    return 0;
}
