/* No descriptor is left: every call that needs one returns UV_EMFILE, leaves its handle unchanged,
 * and works once descriptors are available. */
#include "net.h"

#include <fcntl.h>
#include <sys/resource.h>

static uv_loop_t loop;
static int fds[256], used;

static void use_all_descriptors(void) {
    while ((fds[used] = fcntl(0, F_DUPFD_CLOEXEC, 0)) >= 0) used++;
    assert(errno == EMFILE && used > 0);
}

static void release_descriptors(void) {
    while (used > 0) close(fds[--used]);
}

static void on_connection(uv_stream_t *server, int status) {
    (void)server;
    (void)status;
}

static void on_connect(uv_connect_t *request, int status) {
    (void)request;
    print("  connect callback %s", code(status));
}

static void on_signal(uv_signal_t *signal, int number) {
    print("  signal %d", number == SIGUSR1);
    uv_signal_stop(signal);
}

static void on_event(uv_fs_event_t *event, const char *name, int events, int status) {
    (void)event;
    (void)name;
    (void)events;
    (void)status;
}

static void on_process_exit(uv_process_t *process, int64_t status, int signal) {
    (void)process;
    print("  exit callback %d %d", (int)status, signal);
}

static void close_one(uv_handle_t *handle, void *argument) {
    (void)argument;
    if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

int main(void) {
    struct rlimit limit = {.rlim_cur = 64, .rlim_max = 64};
    struct sockaddr_in address = loopback(0);
    int pair[2];
    uv_fs_t fs;
    uv_loop_t other;
    uv_tcp_t tcp, early, peer;
    uv_udp_t udp;
    uv_pipe_t pipe, to_child;
    uv_signal_t signal;
    uv_fs_event_t event;
    uv_process_t process, again;
    uv_connect_t request;
    uv_timer_t timer;

    /* The loop opens its reserve descriptor when it is first needed. */
    uv_loop_init(&loop);
    assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    use_all_descriptors();

    print("uv_loop_init %s", code(uv_loop_init(&other)));
    print("uv_pipe %s", code(uv_pipe(pair, 0, 0)));
    print("uv_socketpair %s", code(uv_socketpair(SOCK_STREAM, 0, pair, 0, 0)));
    print("uv_fs_open %s", code(uv_fs_open(NULL, &fs, "/dev/null", O_RDONLY, 0, NULL)));
    uv_fs_req_cleanup(&fs);

    print("uv_timer_init %s", code(uv_timer_init(&loop, &timer)));
    print("uv_tcp_init_ex %s", code(uv_tcp_init_ex(&loop, &early, AF_INET)));
    print("uv_tcp_init %s", code(uv_tcp_init(&loop, &tcp)));
    print("uv_tcp_bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    print("uv_listen %s", code(uv_listen(STREAM(&tcp), 1, on_connection)));
    print("uv_tcp_init %s", code(uv_tcp_init(&loop, &peer)));
    print("uv_tcp_connect %s",
          code(uv_tcp_connect(&request, &peer, SOCKADDR(&address), on_connect)));
    print("uv_udp_init %s", code(uv_udp_init(&loop, &udp)));
    print("uv_udp_bind %s", code(uv_udp_bind(&udp, SOCKADDR(&address), 0)));
    print("uv_pipe_init %s", code(uv_pipe_init(&loop, &pipe, 0)));
    print("uv_pipe_bind %s", code(uv_pipe_bind(&pipe, "/no/such/directory")));
    print("uv_fs_event_init %s", code(uv_fs_event_init(&loop, &event)));
    print("uv_fs_event_start %s", code(uv_fs_event_start(&event, on_event, "/", 0)));
    print("uv_signal_init %s", code(uv_signal_init(&loop, &signal)));
    print("uv_signal_start %s", code(uv_signal_start(&signal, on_signal, SIGUSR1)));
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);

    char *arguments[] = {"true", NULL};
    uv_stdio_container_t stdio[1] = {
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = STREAM(&to_child)}};
    uv_process_options_t options = {.file = "/bin/true",
                                    .args = arguments,
                                    .exit_cb = on_process_exit,
                                    .stdio = stdio,
                                    .stdio_count = 1};
    uv_pipe_init(&loop, &to_child, 0);
    print("uv_spawn %s", code(uv_spawn(&loop, &process, &options)));

    release_descriptors();
    print("with descriptors again:");
    print("uv_tcp_bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    print("uv_listen %s", code(uv_listen(STREAM(&tcp), 1, on_connection)));
    int length = sizeof address;
    uv_tcp_getsockname(&tcp, (struct sockaddr *)&address, &length);
    print("uv_tcp_connect %s",
          code(uv_tcp_connect(&request, &peer, SOCKADDR(&address), on_connect)));
    address.sin_port = 0;
    print("uv_udp_bind %s", code(uv_udp_bind(&udp, SOCKADDR(&address), 0)));
    print("uv_fs_event_start %s", code(uv_fs_event_start(&event, on_event, "/", 0)));
    uv_fs_event_stop(&event);
    print("uv_spawn %s", code(uv_spawn(&loop, &again, &options)));
    print("uv_loop_init %s", code(uv_loop_init(&other)));
    print("uv_loop_close %s", code(uv_loop_close(&other)));
    uv_unref(HANDLE(&tcp));
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_walk(&loop, close_one, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("uv_loop_close %s", code(uv_loop_close(&loop)));
    return 0;
}
