/* No descriptor is left: connections are accepted and closed, and the loop does not spin. */
#include "net.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>

enum { CLIENTS = 5 };

static uv_loop_t loop;
static uv_tcp_t server, accepted[CLIENTS + 1];
static uv_timer_t timer;
static int fds[1024], used, clients[CLIENTS], connections, iterations;

static void on_connection(uv_stream_t *stream, int status) {
    print("connection %s", code(status));
    uv_tcp_init(&loop, &accepted[connections]);
    print("accept %s", code(uv_accept(stream, STREAM(&accepted[connections]))));
    connections++;
}

static void on_check(uv_check_t *check) {
    (void)check;
    iterations++;
}

static void on_timer(uv_timer_t *handle) {
    (void)handle;
    print("connections %d, spinning %d", connections, iterations > 50);
    uv_stop(&loop);
}

int main(void) {
    struct rlimit limit = {.rlim_cur = 100, .rlim_max = 100};
    uv_check_t check;

    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    uv_timer_init(&loop, &timer);
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    uv_unref(HANDLE(&check));
    /* The first connection arrives while descriptors are available, so the loop gets a reserve. */
    clients[0] = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(clients[0], SOCKADDR(&address), sizeof address) == 0);
    uv_run(&loop, UV_RUN_ONCE);
    for (int i = 1; i < CLIENTS; i++) clients[i] = socket(AF_INET, SOCK_STREAM, 0);

    assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    while ((fds[used] = dup(0)) >= 0) used++;
    for (int i = 1; i < CLIENTS; i++) {
        assert(connect(clients[i], SOCKADDR(&address), sizeof address) == 0);
    }
    iterations = 0;
    uv_timer_start(&timer, on_timer, 50, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    for (int i = 1; i < CLIENTS; i++) {
        struct timeval second = {.tv_sec = 1};
        setsockopt(clients[i], SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
        char byte;
        print("client %d reads %zd", i, recv(clients[i], &byte, 1, 0));
    }

    /* With descriptors available, connections are accepted again. */
    while (used > 0) close(fds[--used]);
    close(clients[1]);
    clients[1] = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(clients[1], SOCKADDR(&address), sizeof address) == 0);
    uv_timer_start(&timer, on_timer, 50, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
