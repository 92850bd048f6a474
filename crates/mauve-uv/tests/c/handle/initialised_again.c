/* Handles that are initialised again without being closed: the loop lists them once, and one close
 * is enough. The descriptor that a socket had stays open. (Active handles are another matter.) */
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
} it;

static void on_idle(uv_idle_t *idle) {
    say("  idle");
    uv_idle_stop(idle);
}

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    say("  timer");
}

static void on_signal(uv_signal_t *signal, int number) {
    say("  signal %d", number == SIGUSR1);
    uv_signal_stop(signal);
}

static void on_close(uv_handle_t *handle) { say("  closed %s", uv_handle_type_name(handle->type)); }

static void on_walk(uv_handle_t *handle, void *argument) {
    (void)argument;
    say("  walk %s, closing %d, referenced %d", uv_handle_type_name(handle->type),
        uv_is_closing(handle), uv_has_ref(handle));
    if (!uv_is_closing(handle)) uv_close(handle, on_close);
}

static int is_open(int fd) { return fcntl(fd, F_GETFD) != -1; }

static void end(void) {
    say("  alive %d", uv_loop_alive(&loop));
    uv_walk(&loop, on_walk, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  close %s", code(uv_loop_close(&loop)));
}

static void begin(const char *title) {
    say("%s", title);
    uv_loop_init(&loop);
}

int main(void) {
    int fds[2], fd;

    begin("timer");
    uv_timer_init(&loop, &it.timer);
    uv_unref(&it.handle);
    for (int i = 0; i < 3; i++) uv_timer_init(&loop, &it.timer);
    uv_timer_start(&it.timer, on_timer, 0, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    end();

    begin("idle");
    for (int i = 0; i < 2; i++) uv_idle_init(&loop, &it.idle);
    uv_idle_start(&it.idle, on_idle);
    uv_run(&loop, UV_RUN_DEFAULT);
    end();

    begin("signal");
    for (int i = 0; i < 2; i++) uv_signal_init(&loop, &it.signal);
    uv_signal_start(&it.signal, on_signal, SIGUSR1);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_DEFAULT);
    end();

    begin("file system");
    for (int i = 0; i < 2; i++) uv_fs_event_init(&loop, &it.fs_event);
    for (int i = 0; i < 2; i++) uv_fs_poll_init(&loop, &it.fs_poll);
    end();

    begin("poll");
    assert(pipe(fds) == 0);
    for (int i = 0; i < 2; i++) uv_poll_init(&loop, &it.poll, fds[i]);
    end();

    begin("tcp as a pipe");
    uv_tcp_init(&loop, &it.tcp);
    uv_pipe_init(&loop, &it.pipe, 0);
    say("  open %s", code(uv_pipe_open(&it.pipe, fds[0])));
    end();
    close(fds[1]);

    begin("tcp with a socket");
    uv_tcp_init_ex(&loop, &it.tcp, AF_INET);
    uv_fileno(&it.handle, &fd);
    uv_tcp_init(&loop, &it.tcp);
    say("  open %d, fileno %s", is_open(fd), code(uv_fileno(&it.handle, &fds[0])));
    end();
    say("  open %d", is_open(fd));
    close(fd);

    begin("udp with a socket");
    uv_udp_init_ex(&loop, &it.udp, AF_INET);
    uv_fileno(&it.handle, &fd);
    uv_udp_init(&loop, &it.udp);
    say("  open %d, fileno %s", is_open(fd), code(uv_fileno(&it.handle, &fds[0])));
    end();
    say("  open %d", is_open(fd));
    close(fd);

    begin("without a walk");
    for (int i = 0; i < 2; i++) uv_tcp_init(&loop, &it.tcp);
    uv_close(&it.handle, on_close);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  close %s", code(uv_loop_close(&loop)));
    return 0;
}
