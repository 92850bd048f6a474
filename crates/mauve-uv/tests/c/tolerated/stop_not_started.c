/* Stopping handles that were not started, twice. */
#include "test.h"

static void on_timer(uv_timer_t *timer) { (void)timer; }

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_idle_t idle;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_poll_t poll;
    uv_signal_t signal;
    uv_fs_event_t event;
    uv_fs_poll_t file;
    uv_udp_t udp;
    uv_tcp_t tcp;
    int ends[2];

    if (pipe(ends) != 0) return 1;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_idle_init(&loop, &idle);
    uv_prepare_init(&loop, &prepare);
    uv_check_init(&loop, &check);
    uv_poll_init(&loop, &poll, ends[0]);
    uv_signal_init(&loop, &signal);
    uv_fs_event_init(&loop, &event);
    uv_fs_poll_init(&loop, &file);
    uv_udp_init(&loop, &udp);
    uv_tcp_init(&loop, &tcp);
    for (int round = 0; round < 2; round++) {
        print("timer %d", uv_timer_stop(&timer));
        print("idle %d", uv_idle_stop(&idle));
        print("prepare %d", uv_prepare_stop(&prepare));
        print("check %d", uv_check_stop(&check));
        print("poll %d", uv_poll_stop(&poll));
        print("signal %d", uv_signal_stop(&signal));
        print("fs_event %d", uv_fs_event_stop(&event));
        print("fs_poll %d", uv_fs_poll_stop(&file));
        print("udp %d", uv_udp_recv_stop(&udp));
        print("tcp %d", uv_read_stop((uv_stream_t *)&tcp));
    }
    print("again %s", code(uv_timer_again(&timer)));
    print("start without a callback %s", code(uv_timer_start(&timer, NULL, 1, 0)));
    print("start %s", code(uv_timer_start(&timer, on_timer, 1, 0)));
    print("start again %s", code(uv_timer_start(&timer, on_timer, 0, 0)));
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
