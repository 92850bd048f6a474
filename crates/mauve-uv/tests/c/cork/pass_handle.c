/* Two writes in a callback, then uv_write2 passes the stream on, and its receiver writes. */
#include "cork/two_writes.h"

#include <pthread.h>

static uv_pipe_t ipc;
static int receiver;
static uv_write_t passing;

/* Receives a descriptor and writes to it, without the library. */
static void *receive_and_write(void *argument) {
    (void)argument;
    char byte, control[CMSG_SPACE(sizeof(int))];
    struct iovec bytes = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &bytes,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof control,
    };
    int fd;
    assert(recvmsg(receiver, &message, 0) == 1);
    assert(CMSG_FIRSTHDR(&message) != NULL);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    assert(write(fd, "three", 5) == 5);
    close(fd);
    return NULL;
}

static int use_try_write2;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    int ends[2];
    pthread_t thread;
    uv_buf_t byte = uv_buf_init("!", 1);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    receiver = ends[1];
    assert(uv_pipe_init(&loop, &ipc, 1) == 0);
    assert(uv_pipe_open(&ipc, ends[0]) == 0);
    assert(pthread_create(&thread, NULL, receive_and_write, NULL) == 0);
    write_twice();
    if (!use_try_write2) {
        print("  write2 %s",
              code(uv_write2(&passing, STREAM(&ipc), &byte, 1, STREAM(&tcp), on_written)));
    } else {
        print("  try_write2 %d", uv_try_write2(STREAM(&ipc), &byte, 1, STREAM(&tcp)));
    }
    assert(pthread_join(thread, NULL) == 0);
    print("  peer: %s", received(peer, 13));
    close(receiver);
}

int main(void) {
    run_scenario("uv_write2", on_timer);
    use_try_write2 = 1;
    run_scenario("uv_try_write2", on_timer);
    return 0;
}
