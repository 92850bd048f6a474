/* No descriptor is left before the first connection: connections are dropped, and the loop does
 * not spin. The limit is reached after uv_listen, or between uv_tcp_bind and uv_listen. */
#include "net.h"

#include <sys/resource.h>
#include <sys/un.h>

enum { CLIENTS = 3 };

static uv_loop_t loop;
static uv_timer_t timer;
static uv_tcp_t accepted_tcp;
static uv_pipe_t accepted_pipe;
static int fds[128], used, clients[CLIENTS], connections, iterations;

static void on_connection(uv_stream_t *stream, int status) {
    int is_pipe = stream->type == UV_NAMED_PIPE;
    uv_stream_t *accepted = is_pipe ? STREAM(&accepted_pipe) : STREAM(&accepted_tcp);
    connections++;
    print("  connection %s", code(status));
    if (is_pipe) uv_pipe_init(&loop, &accepted_pipe, 0);
    else uv_tcp_init(&loop, &accepted_tcp);
    print("  accept %s", code(uv_accept(stream, accepted)));
    uv_stop(&loop);
}

static void on_check(uv_check_t *check) {
    (void)check;
    iterations++;
}

static void on_timer(uv_timer_t *handle) {
    (void)handle;
    print("  connections %d, spinning %d", connections, iterations > 50);
    uv_stop(&loop);
}

static void use_all_descriptors(void) {
    while (used < (int)COUNT(fds) && (fds[used] = dup(0)) >= 0) used++;
}

static void run_scenario(int is_pipe, int early) {
    uv_check_t check;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
    struct sockaddr_in inet = loopback(0);
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    uv_stream_t *server = is_pipe ? STREAM(&pipe) : STREAM(&tcp);
    const struct sockaddr *address = is_pipe ? SOCKADDR(&local) : SOCKADDR(&inet);
    socklen_t length = is_pipe ? sizeof local : sizeof inet;

    print("%s, %s", is_pipe ? "pipe" : "tcp", early ? "before listen" : "after listen");
    connections = 0;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    uv_unref(HANDLE(&check));
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = socket(is_pipe ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
        assert(clients[i] >= 0);
    }
    if (is_pipe) {
        snprintf(local.sun_path, sizeof local.sun_path, "/tmp/mauve-early-%d", (int)getpid());
        uv_pipe_init(&loop, &pipe, 0);
        print("  bind %s", code(uv_pipe_bind(&pipe, local.sun_path)));
    } else {
        uv_tcp_init(&loop, &tcp);
        print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&inet), 0)));
        inet = loopback(port_of(&tcp));
    }
    if (early) use_all_descriptors();
    print("  listen %s", code(uv_listen(server, 8, on_connection)));
    use_all_descriptors();
    for (int i = 0; i < CLIENTS; i++) assert(connect(clients[i], address, length) == 0);
    iterations = 0;
    uv_timer_start(&timer, on_timer, 30, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    for (int i = 0; i < CLIENTS; i++) {
        char byte;
        print("  client %d reads %zd", i, recv(clients[i], &byte, 1, MSG_DONTWAIT));
        close(clients[i]);
    }

    /* With descriptors available, connections are accepted again. */
    while (used > 0) close(fds[--used]);
    clients[0] = socket(is_pipe ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
    assert(connect(clients[0], address, length) == 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(clients[0]);
    print("  close_loop %s", code(close_loop(&loop)));
}

int main(void) {
    struct rlimit limit = {.rlim_cur = 100, .rlim_max = 100};
    assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    for (int is_pipe = 0; is_pipe < 2; is_pipe++) {
        run_scenario(is_pipe, 0);
        run_scenario(is_pipe, 1);
    }
    return 0;
}
