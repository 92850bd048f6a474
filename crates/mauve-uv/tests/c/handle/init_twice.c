/* Inactive handles that are initialised again without uv_close: the loop lists them once, and one
 * uv_close is enough. The descriptor of a socket stays open. */
#include "net.h"

#include <fcntl.h>

static uv_loop_t loop;
static union {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_timer_t timer;
    uv_idle_t idle;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
    uv_udp_t udp;
    uv_signal_t signal;
    uv_poll_t poll;
    uv_fs_event_t fs_event;
    uv_fs_poll_t fs_poll;
} any;

static void on_idle(uv_idle_t *idle) {
    print("  idle");
    uv_idle_stop(idle);
}

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    print("  timer");
}

static void on_signal(uv_signal_t *signal, int number) {
    print("  signal %d", number == SIGUSR1);
    uv_signal_stop(signal);
}

static void on_close(uv_handle_t *handle) { print("  closed %s",
                                                  uv_handle_type_name(handle->type)); }

static void on_walk(uv_handle_t *handle, void *argument) {
    (void)argument;
    print("  walk %s, closing %d, referenced %d", uv_handle_type_name(handle->type),
          uv_is_closing(handle), uv_has_ref(handle));
    if (!uv_is_closing(handle)) uv_close(handle, on_close);
}

static int is_open(int fd) { return fcntl(fd, F_GETFD) != -1; }

static void end_scenario(void) {
    print("  alive %d", uv_loop_alive(&loop));
    uv_walk(&loop, on_walk, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  close %s", code(uv_loop_close(&loop)));
}

static void begin_scenario(const char *title) {
    print("%s", title);
    uv_loop_init(&loop);
}

int main(void) {
    int fds[2], fd;

    begin_scenario("timer");
    uv_timer_init(&loop, &any.timer);
    uv_unref(&any.handle);
    for (int i = 0; i < 3; i++) uv_timer_init(&loop, &any.timer);
    uv_timer_start(&any.timer, on_timer, 0, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    end_scenario();

    begin_scenario("idle");
    for (int i = 0; i < 2; i++) uv_idle_init(&loop, &any.idle);
    uv_idle_start(&any.idle, on_idle);
    uv_run(&loop, UV_RUN_DEFAULT);
    end_scenario();

    begin_scenario("signal");
    for (int i = 0; i < 2; i++) uv_signal_init(&loop, &any.signal);
    uv_signal_start(&any.signal, on_signal, SIGUSR1);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_DEFAULT);
    end_scenario();

    begin_scenario("file system");
    for (int i = 0; i < 2; i++) uv_fs_event_init(&loop, &any.fs_event);
    for (int i = 0; i < 2; i++) uv_fs_poll_init(&loop, &any.fs_poll);
    end_scenario();

    begin_scenario("poll");
    assert(pipe(fds) == 0);
    for (int i = 0; i < 2; i++) uv_poll_init(&loop, &any.poll, fds[i]);
    end_scenario();

    begin_scenario("tcp as a pipe");
    uv_tcp_init(&loop, &any.tcp);
    uv_pipe_init(&loop, &any.pipe, 0);
    print("  open %s", code(uv_pipe_open(&any.pipe, fds[0])));
    end_scenario();
    close(fds[1]);

    begin_scenario("tcp with a socket");
    uv_tcp_init_ex(&loop, &any.tcp, AF_INET);
    uv_fileno(&any.handle, &fd);
    uv_tcp_init(&loop, &any.tcp);
    print("  open %d, fileno %s", is_open(fd), code(uv_fileno(&any.handle, &fds[0])));
    end_scenario();
    print("  open %d", is_open(fd));
    close(fd);

    begin_scenario("udp with a socket");
    uv_udp_init_ex(&loop, &any.udp, AF_INET);
    uv_fileno(&any.handle, &fd);
    uv_udp_init(&loop, &any.udp);
    print("  open %d, fileno %s", is_open(fd), code(uv_fileno(&any.handle, &fds[0])));
    end_scenario();
    print("  open %d", is_open(fd));
    close(fd);

    begin_scenario("without a walk");
    for (int i = 0; i < 2; i++) uv_tcp_init(&loop, &any.tcp);
    uv_close(&any.handle, on_close);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  close %s", code(uv_loop_close(&loop)));
    return 0;
}
