/* The functions of the C library that create and use an epoll descriptor, and that wake a loop, are called:
 * network stacks in user space replace them. */
#include "net.h"

#include <dlfcn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int created, added, written, events = -1, watched = -1;

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
    return events = original(count, flags);
}

ssize_t write(int fd, const void *bytes, size_t size) {
    ssize_t (*original)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    if (fd == events && fd >= 0) written = 1;
    return original(fd, bytes, size);
}

static void on_poll(uv_poll_t *poll, int status, int mask) {
    print("status %d mask %d", status, mask);
    uv_close((uv_handle_t *)poll, NULL);
}

static void on_async(uv_async_t *async) {
    print("async");
    uv_close((uv_handle_t *)async, NULL);
}

int main(void) {
    uv_loop_t loop;
    uv_poll_t poll;
    uv_async_t async;
    int fds[2];
    assert(uv_loop_init(&loop) == 0);
    assert(pipe(fds) == 0);
    watched = fds[1];
    assert(uv_poll_init(&loop, &poll, fds[1]) == 0);
    assert(uv_poll_start(&poll, UV_WRITABLE, on_poll) == 0);
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
    assert(uv_async_init(&loop, &async, on_async) == 0);
    assert(uv_async_send(&async) == 0);
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
    assert(uv_loop_close(&loop) == 0);
    printf("epoll_create1 %d, epoll_ctl %d, eventfd %d, its write %d\n", created, added, events >= 0, written);
    return 0;
}
