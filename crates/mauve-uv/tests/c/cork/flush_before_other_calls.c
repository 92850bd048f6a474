/* Two writes in a callback, then a call on another socket or into the library. The peer of the
 * first socket must have both writes before that call has an effect. */
#include "cork/two_writes.h"

static uv_tcp_t other, third;
static uv_pipe_t pipe_;
static uv_udp_t udp;
static uv_udp_send_t send_;
static uv_write_t write_;
static uv_shutdown_t shutdown_;
static uv_connect_t connect_;
static int other_peer, pipe_peer, listener;
static struct sockaddr_in address;

static uv_buf_t four_bytes(void) {
    return uv_buf_init("four_bytes", 4);
}

static void try_write(void) {
    uv_buf_t bytes = four_bytes();
    print("  try_write %d", uv_try_write(STREAM(&other), &bytes, 1));
}
static void write_other(void) {
    uv_buf_t bytes = four_bytes();
    print("  write %s", code(uv_write(&write_, STREAM(&other), &bytes, 1, on_written)));
}
static void write_pipe(void) {
    uv_buf_t bytes = four_bytes();
    print("  write %s", code(uv_write(&write_, STREAM(&pipe_), &bytes, 1, on_written)));
}
static void shut_other_down(void) {
    print("  shutdown %s", code(uv_shutdown(&shutdown_, STREAM(&other), NULL)));
}
static void close_other(void) {
    uv_close(HANDLE(&other), NULL);
}
static void reset_other(void) {
    print("  close_reset %s", code(uv_tcp_close_reset(&other, NULL)));
}
static void send_datagram(void) {
    uv_buf_t bytes = four_bytes();
    print("  udp_send %s", code(uv_udp_send(&send_, &udp, &bytes, 1, SOCKADDR(&address), NULL)));
}
static void try_send_datagram(void) {
    uv_buf_t bytes = four_bytes();
    print("  udp_try_send %d", uv_udp_try_send(&udp, &bytes, 1, SOCKADDR(&address)));
}
static void on_connected(uv_connect_t *request, int status) {
    (void)request;
    print("  connected %s", code(status));
}
static void connect_third(void) {
    print("  connect %s",
          code(uv_tcp_connect(&connect_, &third, SOCKADDR(&address), on_connected)));
}
static void stop_reading(void) {
    print("  read_stop %s", code(uv_read_stop(STREAM(&other))));
}
static void set_nodelay(void) {
    print("  nodelay %s", code(uv_tcp_nodelay(&tcp, 1)));
}
static void get_queue_size(void) {
    print("  queue %zu", uv_stream_get_write_queue_size(STREAM(&tcp)));
}
static void try_write_same(void) {
    uv_buf_t bytes = uv_buf_init("", 0);
    print("  try_write %d", uv_try_write(STREAM(&tcp), &bytes, 1));
}
static void kill_self(void) {
    print("  kill %s", code(uv_kill(getpid(), 0)));
}
static void sleep_briefly(void) {
    uv_sleep(1);
}
static void update_time(void) {
    uv_update_time(&loop);
}
static void stop_loop(void) {
    uv_stop(&loop);
}
static void make_timer(void) {
    static uv_timer_t another;
    print("  timer_init %s", code(uv_timer_init(&loop, &another)));
}
static void get_environment(void) {
    size_t size = 1;
    char small[1];
    print("  getenv %s", code(uv_os_getenv("PATH", small, &size)));
}
static void make_pipe(void) {
    uv_file ends[2];
    print("  pipe %s", code(uv_pipe(ends, 0, 0)));
    close(ends[0]);
    close(ends[1]);
}

static const struct {
    const char *name;
    void (*act)(void);
} ACTS[] = {
    {"uv_try_write", try_write},
    {"uv_write to another", write_other},
    {"uv_write to a pipe", write_pipe},
    {"uv_shutdown of another", shut_other_down},
    {"uv_close of another", close_other},
    {"uv_tcp_close_reset of another", reset_other},
    {"uv_udp_send", send_datagram},
    {"uv_udp_try_send", try_send_datagram},
    {"uv_tcp_connect of another", connect_third},
    {"uv_read_stop of another", stop_reading},
    {"uv_tcp_nodelay", set_nodelay},
    {"uv_stream_get_write_queue_size", get_queue_size},
    {"uv_try_write of nothing", try_write_same},
    {"uv_kill", kill_self},
    {"uv_sleep", sleep_briefly},
    {"uv_update_time", update_time},
    {"uv_stop", stop_loop},
    {"uv_timer_init", make_timer},
    {"uv_os_getenv", get_environment},
    {"uv_pipe", make_pipe},
};

static size_t act;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    socklen_t length = sizeof address;
    address = loopback(0);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, SOCKADDR(&address), sizeof address) == 0);
    assert(listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    other_peer = tcp_with_peer(&loop, &other);
    pipe_peer = pipe_with_peer(&loop, &pipe_);
    assert(uv_tcp_init(&loop, &third) == 0);
    assert(uv_udp_init(&loop, &udp) == 0);
    struct sockaddr_in any = loopback(0);
    assert(uv_udp_bind(&udp, SOCKADDR(&any), 0) == 0);
    write_twice();
    ACTS[act].act();
    print("  peer: %s", received(peer, 8));
}

int main(void) {
    for (act = 0; act < COUNT(ACTS); act++) {
        run_scenario(ACTS[act].name, on_timer);
        close(other_peer);
        close(pipe_peer);
        close(listener);
    }
    return 0;
}
