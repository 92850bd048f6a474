/* Handles that are initialised again without being closed, and failed uv_spawn calls, do not grow
 * memory. */
#include "test.h"
#include <malloc.h>
static uv_loop_t loop;
static uv_tcp_t tcp; static uv_timer_t timer; static uv_udp_t udp; static uv_pipe_t pipe_; static uv_idle_t idle; static uv_prepare_t prepare; static uv_check_t check; static uv_signal_t sig; static uv_fs_event_t fs_event; static uv_fs_poll_t fs_poll; static uv_process_t process; static uv_poll_t poll_;
static int pair[2];
static void on_poll(uv_poll_t *handle, int status, int events) {
    (void)handle, (void)status, (void)events;
}
static void again(int kind) {
    uv_process_options_t o = {.file = "/does/not/exist", .args = (char *[]){"x", NULL}};
    switch (kind) {
    case 0: uv_timer_init(&loop, &timer); break;
    case 1: uv_tcp_init(&loop, &tcp); break;
    case 2: uv_udp_init(&loop, &udp); break;
    case 3: uv_pipe_init(&loop, &pipe_, 0); break;
    case 4: uv_idle_init(&loop, &idle); break;
    case 5: uv_prepare_init(&loop, &prepare); break;
    case 6: uv_check_init(&loop, &check); break;
    case 7: uv_signal_init(&loop, &sig); break;
    case 8: uv_fs_event_init(&loop, &fs_event); break;
    case 9: uv_fs_poll_init(&loop, &fs_poll); break;
    case 10: uv_spawn(&loop, &process, &o); break;
    case 11: uv_poll_init(&loop, &poll_, pair[0]); break;
    case 12:
        uv_poll_init(&loop, &poll_, pair[0]);
        uv_poll_start(&poll_, UV_READABLE, on_poll);
        uv_poll_stop(&poll_);
        break;
    }
}
static const char *const names[] = {"timer", "tcp", "udp", "pipe", "idle", "prepare", "check", "signal", "fs_event", "fs_poll", "failed spawn", "poll", "poll that starts"};
int main(void) {
    uv_loop_init(&loop);
    assert(pipe(pair) == 0);
    for (int kind = 0; kind < 13; kind++) {
        int rounds = kind == 10 ? 1500 : 20000;
        for (int i = 0; i < rounds; i++) again(kind);
        size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
        for (int i = 0; i < rounds; i++) again(kind);
        size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
        double each = ((double)after - (double)before) / rounds;
        print("%s: %s", names[kind], each < 8 ? "does not grow" : "grows");
    }
    return 0;
}
