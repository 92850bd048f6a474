/* Programs that tidy up twice stop and ask handles that are closed, and libuv answers. */
#include "tidy/closed_handles.h"

int main(void) {
    struct sockaddr_storage address;
    int length = sizeof address;
    char path[16];
    size_t size = sizeof path;

    make_and_close_all();
    say("timer %d", uv_timer_stop(&timer));
    say("idle %d", uv_idle_stop(&idle));
    say("prepare %d", uv_prepare_stop(&prepare));
    say("check %d", uv_check_stop(&check));
    say("fs_event %d", uv_fs_event_stop(&event));
    say("fs_poll %d", uv_fs_poll_stop(&file));
    say("udp %d", uv_udp_recv_stop(&udp));
    say("tcp %d", uv_read_stop((uv_stream_t *)&tcp));

    uv_ref((uv_handle_t *)&timer);
    uv_unref((uv_handle_t *)&timer);
    say("active %d", uv_is_active((uv_handle_t *)&timer));
    say("closing %d", uv_is_closing((uv_handle_t *)&timer));
    say("repeat %d", (int)uv_timer_get_repeat(&timer));
    say("due in %d", (int)uv_timer_get_due_in(&timer));
    uv_timer_set_repeat(&timer, 5);

    say("path of fs_event %s", code(uv_fs_event_getpath(&event, path, &size)));
    say("path of fs_poll %s", code(uv_fs_poll_getpath(&file, path, &size)));
    say("tcp's name %s", code(uv_tcp_getsockname(&tcp, (struct sockaddr *)&address, &length)));
    say("udp's name %s", code(uv_udp_getsockname(&udp, (struct sockaddr *)&address, &length)));
    size = sizeof path;
    say("pipe's name %s", code(uv_pipe_getsockname(&local, path, &size)));
    say("pending %d", uv_pipe_pending_count(&local));
    say("nodelay %s", code(uv_tcp_nodelay(&tcp, 1)));
    say("keepalive %s", code(uv_tcp_keepalive(&tcp, 1, 60)));
    say("blocking %s", code(uv_stream_set_blocking((uv_stream_t *)&tcp, 1)));
    say("ttl %s", code(uv_udp_set_ttl(&udp, 3)));
    say("broadcast %s", code(uv_udp_set_broadcast(&udp, 1)));
    say("loop %s", code(uv_loop_close(&loop)));
    return 0;
}
