/* needs: 1.53 */
/* env: MAUVE_SELECTOR=epoll */
/* Which events uv_poll reports for each mask, when the peer has hung up, has shut its side down, has
 * sent urgent data, or has reset the connection. */
#include "net.h"

#include <poll.h>

static int calls;

static void on_poll(uv_poll_t *poll, int status, int events) {
    printf(" [%s %d]", code(status), events);
    if (++calls == 2) uv_poll_stop(poll);
}

static void tcp_pair(int ends[2]) {
    struct sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, SOCKADDR(&address), sizeof address) == 0 && listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(ends[0], SOCKADDR(&address), sizeof address) == 0);
    ends[1] = accept(listener, NULL, NULL);
    close(listener);
}

/* Waits until the other end has noticed. */
static void await(int fd, short events) {
    struct pollfd wait = {.fd = fd, .events = events};
    do assert(poll(&wait, 1, -1) == 1);
    while ((wait.revents & events) != events);
}

static void unix_closed(int ends[2]) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    close(ends[1]);
}
static void unix_closed_with_data(int ends[2]) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(write(ends[1], "x", 1) == 1);
    close(ends[1]);
}
static void unix_shut_down(int ends[2]) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    shutdown(ends[1], SHUT_WR);
}
static void unix_both_shut_down(int ends[2]) {
    unix_shut_down(ends);
    shutdown(ends[0], SHUT_WR);
}
static void tcp_both_shut_down(int ends[2]) {
    tcp_pair(ends);
    shutdown(ends[1], SHUT_WR);
    shutdown(ends[0], SHUT_WR);
    await(ends[0], POLLHUP | POLLIN);
}
static void tcp_urgent(int ends[2]) {
    tcp_pair(ends);
    assert(send(ends[1], "x", 1, MSG_OOB) == 1);
    await(ends[0], POLLPRI);
}
static void tcp_reset(int ends[2]) {
    tcp_pair(ends);
    reset_connection(ends[1]);
    await(ends[0], POLLERR);
}
static void tcp_unconnected(int ends[2]) {
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
}
static void pipe_without_writer(int ends[2]) {
    assert(pipe(ends) == 0);
    close(ends[1]);
}

static const struct {
    const char *name;
    void (*make)(int ends[2]);
} CASES[] = {
    {"unix socket, peer closed", unix_closed},
    {"unix socket, peer closed, with data", unix_closed_with_data},
    {"unix socket, peer shut down", unix_shut_down},
    {"unix socket, both shut down", unix_both_shut_down},
    {"tcp, both shut down", tcp_both_shut_down},
    {"tcp, urgent data", tcp_urgent},
    {"tcp, reset", tcp_reset},
    {"tcp, not connected", tcp_unconnected},
    {"pipe without writer", pipe_without_writer},
};

int main(void) {
    for (size_t i = 0; i < COUNT(CASES); i++) {
        print("%s", CASES[i].name);
        for (int mask = 1; mask < 16; mask++) {
            uv_loop_t loop;
            uv_poll_t poll;
            int ends[2];
            CASES[i].make(ends);
            uv_loop_init(&loop);
            uv_poll_init(&loop, &poll, ends[0]);
            calls = 0;
            printf("  %d: %s", mask, code(uv_poll_start(&poll, mask, on_poll)));
            for (int run = 0; run < 3; run++) uv_run(&loop, UV_RUN_NOWAIT);
            print(", active %d", uv_is_active(HANDLE(&poll)));
            EXPECT(close_loop(&loop), 0);
            close(ends[0]);
        }
    }
    return 0;
}
