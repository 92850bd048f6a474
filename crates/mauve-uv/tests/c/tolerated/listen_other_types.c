/* uv_listen and uv_accept with handles of types that cannot listen or accept. */
#include "test.h"
static uv_loop_t loop;
static void on_connection(uv_stream_t *s, int status) { (void)s; (void)status; }
union any { uv_handle_t handle; uv_stream_t stream; uv_tcp_t tcp; uv_pipe_t pipe; uv_tty_t tty; uv_udp_t udp; uv_timer_t timer; uv_idle_t idle; uv_prepare_t prepare; uv_check_t check; uv_async_t async; uv_signal_t signal; uv_fs_event_t fs_event; uv_fs_poll_t fs_poll; };
static union any h[11];
static const char *const names[] = {"tcp", "pipe", "udp", "timer", "idle", "prepare", "check", "async", "signal", "fs_event", "fs_poll"};
int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    uv_loop_init(&loop);
    uv_tcp_init(&loop, &h[0].tcp); uv_pipe_init(&loop, &h[1].pipe, 0); uv_udp_init(&loop, &h[2].udp);
    uv_timer_init(&loop, &h[3].timer); uv_idle_init(&loop, &h[4].idle); uv_prepare_init(&loop, &h[5].prepare);
    uv_check_init(&loop, &h[6].check); uv_async_init(&loop, &h[7].async, NULL); uv_signal_init(&loop, &h[8].signal);
    uv_fs_event_init(&loop, &h[9].fs_event); uv_fs_poll_init(&loop, &h[10].fs_poll);
    for (int i = 2; i < 11; i++) print("uv_listen, %s: %s", names[i], code(uv_listen(&h[i].stream, 1, on_connection)));
    uv_tcp_t server;
    struct sockaddr_in a;
    uv_ip4_addr("127.0.0.1", 0, &a);
    uv_tcp_init(&loop, &server);
    uv_tcp_bind(&server, (struct sockaddr *)&a, 0);
    print("uv_listen: %s", code(uv_listen((uv_stream_t *)&server, 1, on_connection)));
    for (int i = 0; i < 11; i++) print("uv_accept without a connection, %s: %s", names[i], code(uv_accept((uv_stream_t *)&server, &h[i].stream)));
    return 0;
}
