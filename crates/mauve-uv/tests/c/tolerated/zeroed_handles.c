/* Programs clean up static handles that they never initialised. */
#include "../test.h"

#define HANDLE(type)                       \
    static type handle;                    \
    memset(&handle, 0, sizeof handle);

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void) handle;
    (void) size;
    *buffer = uv_buf_init(NULL, 0);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void) stream;
    (void) count;
    (void) buffer;
}

static void on_connection(uv_stream_t *server, int status) {
    (void) server;
    (void) status;
}

static void hooks_and_timers(void) {
    { HANDLE(uv_idle_t) print("idle stop %s", code(uv_idle_stop(&handle))); }
    { HANDLE(uv_check_t) print("check stop %s", code(uv_check_stop(&handle))); }
    { HANDLE(uv_prepare_t) print("prepare stop %s", code(uv_prepare_stop(&handle))); }
    { HANDLE(uv_signal_t) print("signal stop %s", code(uv_signal_stop(&handle))); }
    HANDLE(uv_timer_t)
    print("timer stop %s", code(uv_timer_stop(&handle)));
    print("timer again %s", code(uv_timer_again(&handle)));
    print("timer repeat %d", (int) uv_timer_get_repeat(&handle));
    uv_timer_set_repeat(&handle, 0);
}

static void watchers(void) {
    char path[64];
    size_t size = sizeof path;
    { HANDLE(uv_fs_event_t)
      print("fs_event %s %s", code(uv_fs_event_stop(&handle)), code(uv_fs_event_getpath(&handle, path, &size))); }
    size = sizeof path;
    { HANDLE(uv_fs_poll_t)
      print("fs_poll %s %s", code(uv_fs_poll_stop(&handle)), code(uv_fs_poll_getpath(&handle, path, &size))); }
}

static void handles(void) {
    uv_os_fd_t fd;
    HANDLE(uv_tcp_t)
    uv_handle_t *any = (uv_handle_t *) &handle;
    uv_unref(any);
    print("active %d closing %d referenced %d", uv_is_active(any), uv_is_closing(any), uv_has_ref(any));
    print("fileno %s", code(uv_fileno(any, &fd)));
}

static void sockets(void) {
    struct sockaddr_storage name;
    int length = sizeof name;
    char path[64];
    size_t size = sizeof path;
    { HANDLE(uv_tcp_t)
      uv_stream_t *stream = (uv_stream_t *) &handle;
      print("read start %s", code(uv_read_start(stream, on_alloc, on_read)));
      print("read stop %s", code(uv_read_stop(stream)));
      print("listen %s", code(uv_listen(stream, 1, on_connection)));
      print("accept %s", code(uv_accept(stream, stream)));
      print("getsockname %s", code(uv_tcp_getsockname(&handle, (struct sockaddr *) &name, &length)));
      print("getpeername %s", code(uv_tcp_getpeername(&handle, (struct sockaddr *) &name, &length))); }
    { HANDLE(uv_pipe_t)
      print("pending %d %d", uv_pipe_pending_count(&handle), uv_pipe_pending_type(&handle));
      print("getsockname %s", code(uv_pipe_getsockname(&handle, path, &size)));
      print("getpeername %s", code(uv_pipe_getpeername(&handle, path, &size)));
      print("bind %s", code(uv_pipe_bind(&handle, ""))); }
    HANDLE(uv_udp_t)
    print("getsockname %s", code(uv_udp_getsockname(&handle, (struct sockaddr *) &name, &length)));
    print("receive stop %s", code(uv_udp_recv_stop(&handle)));
}

int main(void) {
    hooks_and_timers();
    watchers();
    handles();
    sockets();
    HANDLE(uv_process_t)
    print("kill %s", code(uv_process_kill(&handle, 0)));
    return 0;
}
