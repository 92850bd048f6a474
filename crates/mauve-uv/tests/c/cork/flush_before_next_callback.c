/* Two writes in a callback are in the socket buffer before the next callback of any kind starts. */
#include "cork/two_writes.h"

#include <fcntl.h>

static uv_write_t writes[4];
static int calls, written;

/* Each callback checks that the peer has the writes of the previous one, then writes twice. */
static void check_and_write(const char *name) {
    static const char *const TEXTS[] = {"one ", "two ", "three ", "four "};
    print("  %s %d, peer: %s", name, calls,
          calls == 0 ? "" : received(peer, written == 2 ? 8 : 11));
    if (calls++ >= 2) return;
    for (int i = 0; i < 2; i++, written++) {
        uv_buf_t bytes = uv_buf_init((char *)TEXTS[written], strlen(TEXTS[written]));
        assert(uv_write(&writes[written], STREAM(&tcp), &bytes, 1, on_written) == 0);
    }
}

static uv_udp_t udp;
static int sender;
static struct sockaddr_in address;
static char datagrams[20 * 65536];

static void on_datagram_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    (void)size;
    *buffer = uv_buf_init(datagrams, sizeof datagrams);
}

static void on_datagram(uv_udp_t *handle, ssize_t count, const uv_buf_t *buffer,
                        const struct sockaddr *from, unsigned flags) {
    (void)buffer;
    (void)flags;
    if (count <= 0 || from == NULL) return;
    check_and_write("datagram");
    if (calls == 3) uv_close(HANDLE(handle), NULL);
}

static void datagram_callbacks(unsigned flags) {
    socklen_t length = sizeof address;
    address = loopback(0);
    sender = socket(AF_INET, SOCK_DGRAM, 0);
    assert(uv_udp_init_ex(&loop, &udp, AF_INET | flags) == 0);
    assert(uv_udp_bind(&udp, SOCKADDR(&address), 0) == 0);
    assert(uv_udp_getsockname(&udp, (struct sockaddr *)&address, (int *)&length) == 0);
    for (int i = 0; i < 3; i++) {
        assert(sendto(sender, "x", 1, 0, SOCKADDR(&address), sizeof address) == 1);
    }
    assert(uv_udp_recv_start(&udp, on_datagram_alloc, on_datagram) == 0);
    close(sender);
}

static void several_datagrams(void) {
    datagram_callbacks(0);
}

static void several_datagrams_recvmmsg(void) {
    datagram_callbacks(UV_UDP_RECVMMSG);
}

static uv_timer_t timers[3];

static void on_one_timer(uv_timer_t *timer) {
    (void)timer;
    check_and_write("timer");
}

static void several_timers(void) {
    for (int i = 0; i < 3; i++) {
        uv_timer_init(&loop, &timers[i]);
        uv_timer_start(&timers[i], on_one_timer, 0, 0);
    }
}

static uv_idle_t idles[3];
static uv_prepare_t prepares[3];
static uv_check_t checks[3];

static void on_idle(uv_idle_t *idle) {
    check_and_write("idle");
    uv_idle_stop(idle);
}
static void several_idles(void) {
    for (int i = 0; i < 3; i++) uv_idle_init(&loop, &idles[i]), uv_idle_start(&idles[i], on_idle);
}
static void on_prepare(uv_prepare_t *prepare) {
    check_and_write("prepare");
    uv_prepare_stop(prepare);
}
static void on_check(uv_check_t *check) {
    check_and_write("check");
    uv_check_stop(check);
}
static void on_nothing(uv_timer_t *timer) {
    (void)timer;
}
static void several_prepares(void) {
    for (int i = 0; i < 3; i++) {
        uv_prepare_init(&loop, &prepares[i]);
        uv_prepare_start(&prepares[i], on_prepare);
    }
    uv_timer_start(&timer, on_nothing, 1, 0);
}
static void several_checks(void) {
    for (int i = 0; i < 3; i++) {
        uv_check_init(&loop, &checks[i]);
        uv_check_start(&checks[i], on_check);
    }
    uv_timer_start(&timer, on_nothing, 1, 0);
}

static uv_work_t works[3];

static void on_work(uv_work_t *work) {
    (void)work;
}
static void on_worked(uv_work_t *work, int status) {
    (void)work;
    assert(status == 0);
    check_and_write("work");
}
static void several_works(void) {
    for (int i = 0; i < 3; i++) uv_queue_work(&loop, &works[i], on_work, on_worked);
}

static uv_fs_t reads[3];
static char read_buffers[3][16];

static void on_file(uv_fs_t *request) {
    uv_fs_req_cleanup(request);
    check_and_write("file");
}
static void several_reads(void) {
    int fd = open("/proc/self/cmdline", O_RDONLY);
    for (int i = 0; i < 3; i++) {
        uv_buf_t buffer = uv_buf_init(read_buffers[i], 16);
        assert(uv_fs_read(&loop, &reads[i], fd, &buffer, 1, 0, on_file) == 0);
    }
}

static uv_tcp_t handles[3];

static void on_close(uv_handle_t *handle) {
    (void)handle;
    check_and_write("close");
}
static void several_closes(void) {
    for (int i = 0; i < 3; i++) uv_tcp_init(&loop, &handles[i]), uv_close(HANDLE(&handles[i]), on_close);
}

static uv_async_t asyncs[3];

static void on_async(uv_async_t *async) {
    check_and_write("async");
    uv_close(HANDLE(async), NULL);
}
static void several_asyncs(void) {
    for (int i = 0; i < 3; i++) uv_async_init(&loop, &asyncs[i], on_async);
    for (int i = 0; i < 3; i++) uv_async_send(&asyncs[i]);
}

static uv_pipe_t pipe_;
static uv_write_t pipe_writes[3];

static void on_pipe_written(uv_write_t *request, int status) {
    (void)request;
    assert(status == 0);
    check_and_write("write");
}
static void several_writes(void) {
    uv_buf_t bytes = uv_buf_init("x", 1);
    (void)pipe_with_peer(&loop, &pipe_);
    for (int i = 0; i < 3; i++) {
        assert(uv_write(&pipe_writes[i], STREAM(&pipe_), &bytes, 1, on_pipe_written) == 0);
    }
}

/* The alloc callback writes, and then the read callback. */
static void on_writing_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    on_alloc(handle, size, buffer);
    check_and_write("alloc");
}
static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    assert(count == 1);
    check_and_write("read");
    uv_close(HANDLE(stream), NULL);
}
static void alloc_and_read(void) {
    int fd = pipe_with_peer(&loop, &pipe_);
    assert(write(fd, "x", 1) == 1);
    assert(uv_read_start(STREAM(&pipe_), on_writing_alloc, on_read) == 0);
}

static void on_walk(uv_handle_t *handle, void *argument) {
    (void)argument;
    (void)handle;
    if (calls < 3) check_and_write("walk");
}
static uv_idle_t walker;
static void walk_in_callback(uv_idle_t *idle) {
    uv_walk(&loop, on_walk, NULL);
    uv_close(HANDLE(idle), NULL);
}
static void walk(void) {
    uv_idle_init(&loop, &walker);
    uv_idle_start(&walker, walk_in_callback);
}

static const struct {
    const char *name;
    void (*set_up)(void);
} SCENARIOS[] = {
    {"timers", several_timers},
    {"idle", several_idles},
    {"prepare", several_prepares},
    {"check", several_checks},
    {"work", several_works},
    {"files", several_reads},
    {"close", several_closes},
    {"async", several_asyncs},
    {"write", several_writes},
    {"alloc and read", alloc_and_read},
    {"walk", walk},
    {"datagrams", several_datagrams},
    {"datagrams, recvmmsg", several_datagrams_recvmmsg},
};

static size_t scenario;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    calls = written = 0;
    SCENARIOS[scenario].set_up();
}

int main(void) {
    for (scenario = 0; scenario < COUNT(SCENARIOS); scenario++) {
        run_scenario(SCENARIOS[scenario].name, on_timer);
    }
    return 0;
}
