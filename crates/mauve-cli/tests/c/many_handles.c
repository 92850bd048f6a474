/* A loop with many handles and requests that keep it alive, for `mauve why`.
 *
 * Prints its loop's address before it sleeps. With an argument, a callback never returns. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

static uv_loop_t *loop;

static void on_timer(uv_timer_t *timer) { (void)timer; }

static void on_connection(uv_stream_t *server, int status) {
    (void)server;
    (void)status;
}

static void on_exit_of_child(uv_process_t *process, int64_t status, int signal) {
    (void)process;
    (void)status;
    (void)signal;
}

static void on_work(uv_work_t *work) {
    (void)work;
    for (;;) pause();
}

static void after_work(uv_work_t *work, int status) {
    (void)work;
    (void)status;
}

static void on_file(uv_fs_event_t *event, const char *name, int events, int status) {
    (void)event;
    (void)name;
    (void)events;
    (void)status;
}

static void on_signal(uv_signal_t *signal, int number) {
    (void)signal;
    (void)number;
}

static void print_ready(uv_handle_t *closed) {
    (void)closed;
    printf("ready %p\n", (void *)loop);
    fflush(stdout);
}

/* Closes the timer before it prints, so that the timer is not listed. */
static void ready(uv_timer_t *timer) { uv_close((uv_handle_t *)timer, print_ready); }

static void never_returns(uv_timer_t *timer) {
    print_ready((uv_handle_t *)timer);
    for (;;) sleep(1);
}

int main(int argc, char **argv) {
    loop = uv_default_loop();

    static uv_tcp_t server;
    struct sockaddr_in address;
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_tcp_init(loop, &server);
    assert(uv_tcp_bind(&server, (const struct sockaddr *)&address, 0) == 0);
    assert(uv_listen((uv_stream_t *)&server, 8, on_connection) == 0);

    static uv_timer_t timer;
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_timer, 3600000, 1000);

    /* The peer does not read, so the write stays queued. */
    static uv_pipe_t pipe;
    static uv_write_t write;
    static char much[1 << 22];
    int ends[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    uv_pipe_init(loop, &pipe, 0);
    assert(uv_pipe_open(&pipe, ends[0]) == 0);
    uv_buf_t buffer = uv_buf_init(much, sizeof much);
    assert(uv_write(&write, (uv_stream_t *)&pipe, &buffer, 1, NULL) == 0);

    static uv_process_t child;
    char *arguments[] = {"sleep", "600", NULL};
    uv_process_options_t options = {
        .file = "sleep", .args = arguments, .exit_cb = on_exit_of_child};
    assert(uv_spawn(loop, &child, &options) == 0);

    static uv_fs_event_t event;
    uv_fs_event_init(loop, &event);
    assert(uv_fs_event_start(&event, on_file, "/tmp", 0) == 0);
    uv_unref((uv_handle_t *)&event);

    static uv_signal_t signal_handle;
    uv_signal_init(loop, &signal_handle);
    assert(uv_signal_start(&signal_handle, on_signal, SIGUSR2) == 0);

    static uv_work_t work;
    assert(uv_queue_work(loop, &work, on_work, after_work) == 0);

    static uv_idle_t unused;
    uv_idle_init(loop, &unused);

    static uv_timer_t first;
    uv_timer_init(loop, &first);
    uv_timer_start(&first, argc > 1 ? never_returns : ready, 1, 0);
    (void)argv;
    return uv_run(loop, UV_RUN_DEFAULT);
}
