/* uv_accept of a connection into handles of other types. */
#include "test.h"
static uv_loop_t loop;
static uv_tcp_t server, client, accepted;
static uv_timer_t timer; static uv_idle_t idle; static uv_signal_t sig; static uv_async_t async; static uv_check_t check; static uv_prepare_t prepare; static uv_fs_event_t fs_event; static uv_fs_poll_t fs_poll;
static uv_connect_t connect_;
static void on_connection(uv_stream_t *s, int status) {
    void *others[] = {&timer, &idle, &sig, &async, &check, &prepare, &fs_event, &fs_poll};
    (void)status;
    for (size_t i = 0; i < COUNT(others); i++) print("uv_accept into %s: %s", uv_handle_type_name(uv_handle_get_type(others[i])), code(uv_accept(s, others[i])));
    print("uv_accept: %s", code(uv_accept(s, (uv_stream_t *)&accepted)));
    uv_stop(&loop);
}
static void on_connect(uv_connect_t *c, int s) { (void)c; (void)s; }
int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    struct sockaddr_in a; struct sockaddr_storage name; int n = sizeof name;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer); uv_idle_init(&loop, &idle); uv_prepare_init(&loop, &prepare); uv_check_init(&loop, &check); uv_async_init(&loop, &async, NULL); uv_signal_init(&loop, &sig); uv_fs_event_init(&loop, &fs_event); uv_fs_poll_init(&loop, &fs_poll);
    uv_ip4_addr("127.0.0.1", 0, &a);
    uv_tcp_init(&loop, &server); uv_tcp_init(&loop, &client); uv_tcp_init(&loop, &accepted);
    uv_tcp_bind(&server, (struct sockaddr *)&a, 0);
    uv_listen((uv_stream_t *)&server, 1, on_connection);
    uv_tcp_getsockname(&server, (struct sockaddr *)&name, &n);
    uv_tcp_connect(&connect_, &client, (struct sockaddr *)&name, on_connect);
    uv_run(&loop, UV_RUN_DEFAULT);
    return 0;
}
