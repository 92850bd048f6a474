/* Stopping and querying closed handles returns a result, as in libuv. */
#include "tolerated/closed_handles.h"

static void on_timer(uv_timer_t *handle) { (void)handle; }

int main(void) {
    struct sockaddr_storage address;
    int length = sizeof address;
    char path[16];
    size_t size = sizeof path;

    init_and_close_all();
    print("timer %d", uv_timer_stop(&timer));
    print("idle %d", uv_idle_stop(&idle));
    print("prepare %d", uv_prepare_stop(&prepare));
    print("check %d", uv_check_stop(&check));
    print("fs_event %d", uv_fs_event_stop(&event));
    print("fs_poll %d", uv_fs_poll_stop(&file));
    print("udp %d", uv_udp_recv_stop(&udp));
    print("tcp %d", uv_read_stop((uv_stream_t *)&tcp));

    uv_ref((uv_handle_t *)&timer);
    uv_unref((uv_handle_t *)&timer);
    print("active %d", uv_is_active((uv_handle_t *)&timer));
    print("closing %d", uv_is_closing((uv_handle_t *)&timer));
    print("repeat %d", (int)uv_timer_get_repeat(&timer));
    print("due in %d", (int)uv_timer_get_due_in(&timer));
    uv_timer_set_repeat(&timer, 5);

    print("fs_event path %s", code(uv_fs_event_getpath(&event, path, &size)));
    print("fs_poll path %s", code(uv_fs_poll_getpath(&file, path, &size)));
    print("tcp name %s", code(uv_tcp_getsockname(&tcp, (struct sockaddr *)&address, &length)));
    print("udp name %s", code(uv_udp_getsockname(&udp, (struct sockaddr *)&address, &length)));
    size = sizeof path;
    print("pipe name %s", code(uv_pipe_getsockname(&local, path, &size)));
    print("pending %d", uv_pipe_pending_count(&local));
    print("pending type %d", uv_pipe_pending_type(&local));
    print("pipe chmod %s", code(uv_pipe_chmod(&local, UV_READABLE)));
    print("nodelay %s", code(uv_tcp_nodelay(&tcp, 1)));
    print("keepalive %s", code(uv_tcp_keepalive(&tcp, 1, 60)));
    print("blocking %s", code(uv_stream_set_blocking((uv_stream_t *)&tcp, 1)));
    print("reset %s", code(uv_tcp_close_reset(&tcp, NULL)));
    print("accept %s", code(uv_accept((uv_stream_t *)&tcp, (uv_stream_t *)&local)));
    print("start %s", code(uv_timer_start(&timer, on_timer, 1, 1)));
    print("ttl %s", code(uv_udp_set_ttl(&udp, 3)));
    print("broadcast %s", code(uv_udp_set_broadcast(&udp, 1)));
    print("loop %s", code(uv_loop_close(&loop)));
    return 0;
}
