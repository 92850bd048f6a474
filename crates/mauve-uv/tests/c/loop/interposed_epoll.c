/* The functions of the C library that create and use an epoll descriptor are called: network stacks in user
 * space replace them. */
#include "net.h"

#include <dlfcn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int created, added, events, watched = -1;

int epoll_create1(int flags) {
    int (*original)(int) = dlsym(RTLD_NEXT, "epoll_create1");
    created = 1;
    return original(flags);
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event) {
    int (*original)(int, int, int, struct epoll_event *) = dlsym(RTLD_NEXT, "epoll_ctl");
    if (fd == watched && operation == EPOLL_CTL_ADD) added = 1;
    return original(epoll, operation, fd, event);
}

int eventfd(unsigned int count, int flags) {
    int (*original)(unsigned int, int) = dlsym(RTLD_NEXT, "eventfd");
    events = 1;
    return original(count, flags);
}

static void on_poll(uv_poll_t *poll, int status, int mask) {
    printf("status %d mask %d\n", status, mask);
    uv_close((uv_handle_t *)poll, NULL);
}

int main(void) {
    uv_loop_t loop;
    uv_poll_t poll;
    int fds[2];
    assert(uv_loop_init(&loop) == 0);
    assert(pipe(fds) == 0);
    watched = fds[1];
    assert(uv_poll_init(&loop, &poll, fds[1]) == 0);
    assert(uv_poll_start(&poll, UV_WRITABLE, on_poll) == 0);
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
    assert(uv_loop_close(&loop) == 0);
    printf("epoll_create1 %d, epoll_ctl %d, eventfd %d\n", created, added, events);
    return 0;
}
