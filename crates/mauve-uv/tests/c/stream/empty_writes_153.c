/* needs: 1.53 */
/* Writes of zero bytes: one buffer, several buffers, after other writes; to peers that are open,
 * closed or reset. */
#include "net.h"

#include <poll.h>

static union {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
} stream_;

static uv_loop_t loop;
static uv_write_t writes[4];
static uv_shutdown_t shutdown_;
static int peer, count;
static char data[1 << 20];

/* Sizes of buffers. */
static const size_t EMPTY[] = {0}, EMPTIES[] = {0, 0, 0}, MIXED[] = {0, 3, 0, 4, 0};
static const size_t SOME[] = {5};

#define BUFFERS(sizes) (sizes), COUNT(sizes)

static size_t make_buffers(uv_buf_t *buffers, const size_t *sizes, size_t number) {
    size_t total = 0;
    for (size_t i = 0; i < number; i++) {
        buffers[i] = uv_buf_init(sizes[i] == 0 ? NULL : data, sizes[i]);
        total += sizes[i];
    }
    return total;
}

static void on_write(uv_write_t *request, int status) {
    print("    written %d %s, queue %zu", (int)(request - writes), code(status),
          request->handle->write_queue_size);
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    print("    shut down %s", code(status));
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    print("    closed");
}

static void write_buffers(const size_t *sizes, size_t number) {
    uv_buf_t buffers[8];
    size_t total = make_buffers(buffers, sizes, number);
    int result = uv_write(&writes[count], &stream_.stream, buffers, number, on_write);
    print("    write %d, %zu buffers, %zu bytes: %s", count++, number, total, code(result));
}

static void try_buffers(const size_t *sizes, size_t number) {
    uv_buf_t buffers[8];
    size_t total = make_buffers(buffers, sizes, number);
    int result = uv_try_write(&stream_.stream, buffers, number);
    print("    try, %zu buffers, %zu bytes: %s", number, total, length_or_code(result));
}

static void shut_down(void) {
    print("    shutdown %s", code(uv_shutdown(&shutdown_, &stream_.stream, on_shutdown)));
}

/* Actions. */
static void try_empty(void) {
    try_buffers(BUFFERS(EMPTY));
    try_buffers(BUFFERS(EMPTIES));
}
static void write_empty(void) {
    write_buffers(BUFFERS(EMPTY));
}
static void write_empty_twice(void) {
    write_buffers(BUFFERS(EMPTY));
    write_buffers(BUFFERS(EMPTIES));
    try_buffers(BUFFERS(EMPTY));
}
static void write_mixed(void) {
    write_buffers(BUFFERS(MIXED));
    write_buffers(BUFFERS(EMPTY));
    write_buffers(BUFFERS(MIXED));
}
static void try_mixed(void) {
    try_buffers(BUFFERS(MIXED));
    try_buffers(BUFFERS(EMPTY));
}
static void write_empty_and_shut_down(void) {
    write_buffers(BUFFERS(EMPTY));
    shut_down();
    write_buffers(BUFFERS(EMPTY));
    try_buffers(BUFFERS(EMPTY));
}
static void write_mixed_and_shut_down(void) {
    write_buffers(BUFFERS(MIXED));
    shut_down();
}
static void write_empty_and_close(void) {
    write_buffers(BUFFERS(EMPTIES));
    if (!uv_is_closing(&stream_.handle)) uv_close(&stream_.handle, on_close);
}

static const struct {
    const char *name;
    void (*act)(void);
} ACTS[] = {
    {"try empty", try_empty},
    {"write empty", write_empty},
    {"write empty twice", write_empty_twice},
    {"write mixed", write_mixed},
    {"try mixed", try_mixed},
    {"write empty, shut down", write_empty_and_shut_down},
    {"write mixed, shut down", write_mixed_and_shut_down},
    {"write empty, close", write_empty_and_close},
};

/* States of the stream or its peer before the action. */
static void nothing(void) {}
static void peer_closed(void) {
    close(peer);
    peer = -1;
}
static void peer_closed_with_unread(void) {
    try_buffers(BUFFERS(SOME));
    peer_closed();
}
static void peer_reset(void) {
    struct pollfd poll_ = {.events = POLLIN};
    uv_os_fd_t fd;
    reset_connection(peer);
    peer = -1;
    assert(uv_fileno(&stream_.handle, &fd) == 0);
    poll_.fd = fd;
    /* Waits until the reset has arrived. */
    assert(poll(&poll_, 1, -1) == 1);
}
static void filled(void) {
    uv_buf_t all = uv_buf_init(data, sizeof data), one = uv_buf_init(data, 1);
    while (uv_try_write(&stream_.stream, &all, 1) > 0) continue;
    while (uv_try_write(&stream_.stream, &one, 1) > 0) continue;
}
static void shut_down_and_run(void) {
    shut_down();
    uv_run(&loop, UV_RUN_DEFAULT);
}
static void closing(void) {
    uv_close(&stream_.handle, on_close);
}
static void own_descriptor_shut_down(void) {
    uv_os_fd_t fd;
    assert(uv_fileno(&stream_.handle, &fd) == 0);
    shutdown(fd, SHUT_WR);
}

static int make_tcp(void) {
    return tcp_with_peer(&loop, &stream_.tcp);
}
static int make_local(void) {
    return pipe_with_peer(&loop, &stream_.pipe);
}
static int make_pipe(void) {
    int ends[2];
    assert(pipe(ends) == 0);
    assert(uv_pipe_init(&loop, &stream_.pipe, 0) == 0);
    assert(uv_pipe_open(&stream_.pipe, ends[1]) == 0);
    return ends[0];
}

/* For TCP only states that do not depend on when a packet arrives. */
static const struct {
    const char *name;
    int (*open_stream)(void);
    void (*set_up)(void);
} STATES[] = {
    {"tcp, alive", make_tcp, nothing},
    {"tcp, reset", make_tcp, peer_reset},
    {"tcp, shut down", make_tcp, shut_down},
    {"tcp, shut down and run", make_tcp, shut_down_and_run},
    {"tcp, closing", make_tcp, closing},
    {"tcp, descriptor shut down", make_tcp, own_descriptor_shut_down},
    {"local, alive", make_local, nothing},
    {"local, closed", make_local, peer_closed},
    {"local, closed with unread bytes", make_local, peer_closed_with_unread},
    {"local, full", make_local, filled},
    {"local, shut down", make_local, shut_down},
    {"local, descriptor shut down", make_local, own_descriptor_shut_down},
    {"pipe, alive", make_pipe, nothing},
    {"pipe, closed", make_pipe, peer_closed},
    {"pipe, full", make_pipe, filled},
};

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    for (size_t state = 0; state < COUNT(STATES); state++) {
        print("%s", STATES[state].name);
        for (size_t act = 0; act < COUNT(ACTS); act++) {
            print("  %s", ACTS[act].name);
            count = 0;
            assert(uv_loop_init(&loop) == 0);
            peer = STATES[state].open_stream();
            STATES[state].set_up();
            ACTS[act].act();
            for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
            if (!uv_is_closing(&stream_.handle)) try_empty();
            print("    close_loop %s", code(close_loop(&loop)));
            if (peer >= 0) close(peer);
        }
    }
    return 0;
}
