/* needs: mauve */
/* env: MAUVE_SELECTOR=epoll */
/* epoll_ctl fails with ENOSPC, as beyond fs.epoll.max_user_watches. Every operation that waits for
 * a descriptor fails with that error; libuv 1.44 aborts. SIGCHLD reports the exit of a child
 * instead. */
#include "net.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static uv_loop_t loop;
static uv_tcp_t reader, writer, both, server, client;
static uv_udp_t receiver;
static uv_poll_t poll;
static uv_process_t child;
static uv_connect_t connect_request;
static uv_write_t writes[3];
static uv_shutdown_t shutdown_request;
static int exits, shutdowns;

/* Makes epoll_ctl fail from now on. */
static void fail_epoll_ctl(int error) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_epoll_ctl, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {COUNT(filter), filter};
    EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    EXPECT(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

static int count(const char *word) {
    int found = 0;
    for (const char *at = event_log; (at = strstr(at, word)) != NULL; at += strlen(word)) found++;
    return found;
}

static void on_read(uv_stream_t *stream, ssize_t result, const uv_buf_t *buffer) {
    (void)buffer;
    EXPECT(result, UV_ENOSPC);
    EXPECT(uv_is_active(HANDLE(stream)), 0);
    EXPECT(uv_read_start(stream, on_alloc, on_read), UV_ENOTCONN);
    record_event("read");
}

static void on_connection(uv_stream_t *stream, int status) {
    EXPECT(status, UV_ENOSPC);
    EXPECT(uv_is_active(HANDLE(stream)), 0);
    record_event("connection");
}

static void on_connect(uv_connect_t *request, int status) {
    EXPECT(request == &connect_request, 1);
    EXPECT(status, UV_ENOSPC);
    record_event("connect");
}

static void on_write(uv_write_t *request, int status) {
    (void)request;
    EXPECT(status, UV_ENOSPC);
    record_event("write");
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    EXPECT(status, 0);
    shutdowns++;
}

static void on_receive(uv_udp_t *udp, ssize_t result, const uv_buf_t *buffer,
                       const struct sockaddr *from, unsigned flags) {
    (void)buffer, (void)flags;
    EXPECT(result, UV_ENOSPC);
    EXPECT(from == NULL, 1);
    EXPECT(uv_is_active(HANDLE(udp)), 0);
    record_event("receive");
}

static void on_poll(uv_poll_t *handle, int status, int events) {
    EXPECT(status, UV_ENOSPC);
    EXPECT(events, 0);
    EXPECT(uv_is_active(HANDLE(handle)), 0);
    record_event("poll");
}

static void on_child_exit(uv_process_t *process, int64_t status, int signal) {
    EXPECT(status, 0);
    EXPECT(signal, 0);
    uv_close(HANDLE(process), NULL);
    exits++;
}

int main(void) {
    static char large[16 << 20];
    struct sockaddr_in any = loopback(0), peer = loopback(0);
    socklen_t length = sizeof peer;
    uv_buf_t buffer = uv_buf_init(large, sizeof large);
    char *arguments[] = {"/bin/true", NULL};
    uv_process_options_t options = {.file = "/bin/true", .args = arguments, .exit_cb = on_child_exit};
    int ends[2], listener = socket(AF_INET, SOCK_STREAM, 0);

    uv_loop_init(&loop);
    tcp_with_peer(&loop, &reader);
    tcp_with_peer(&loop, &writer);
    tcp_with_peer(&loop, &both);
    EXPECT(pipe(ends), 0);
    EXPECT(uv_poll_init(&loop, &poll, ends[0]), 0);
    EXPECT(uv_tcp_init(&loop, &server), 0);
    EXPECT(uv_tcp_bind(&server, SOCKADDR(&any), 0), 0);
    EXPECT(uv_tcp_init(&loop, &client), 0);
    EXPECT(uv_udp_init(&loop, &receiver), 0);
    EXPECT(uv_udp_bind(&receiver, SOCKADDR(&any), 0), 0);
    EXPECT(bind(listener, SOCKADDR(&any), sizeof any), 0);
    EXPECT(listen(listener, 1), 0);
    EXPECT(getsockname(listener, (struct sockaddr *)&peer, &length), 0);
    /* Makes the loop register its signal pipe, which SIGCHLD needs. */
    uv_signal_t signal_;
    EXPECT(uv_signal_init(&loop, &signal_), 0);
    uv_unref(HANDLE(&signal_));

    fail_epoll_ctl(ENOSPC);
    EXPECT(uv_read_start(STREAM(&reader), on_alloc, on_read), 0);
    EXPECT(uv_write(&writes[0], STREAM(&writer), &buffer, 1, on_write), 0);
    EXPECT(uv_shutdown(&shutdown_request, STREAM(&writer), on_shutdown), 0);
    EXPECT(uv_read_start(STREAM(&both), on_alloc, on_read), 0);
    EXPECT(uv_write(&writes[1], STREAM(&both), &buffer, 1, on_write), 0);
    EXPECT(uv_write(&writes[2], STREAM(&both), &buffer, 1, on_write), 0);
    EXPECT(uv_listen(STREAM(&server), 1, on_connection), 0);
    EXPECT(uv_tcp_connect(&connect_request, &client, SOCKADDR(&peer), on_connect), 0);
    EXPECT(uv_udp_recv_start(&receiver, on_alloc, on_receive), 0);
    EXPECT(uv_poll_start(&poll, UV_READABLE, on_poll), 0);
    EXPECT(uv_spawn(&loop, &child, &options), 0);
    /* Nothing blocks forever. */
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT(count("read "), 2);
    EXPECT(count("write "), 3);
    EXPECT(count("connection "), 1);
    EXPECT(count("connect "), 1);
    EXPECT(count("receive "), 1);
    EXPECT(count("poll "), 1);
    EXPECT(exits, 1);
    EXPECT(shutdowns, 1);
    EXPECT(writer.write_queue_size, 0);
    EXPECT(both.write_queue_size, 0);

    /* Each can be started again, and fails again. */
    event_log[0] = 0;
    EXPECT(uv_listen(STREAM(&server), 1, on_connection), 0);
    EXPECT(uv_udp_recv_start(&receiver, on_alloc, on_receive), 0);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT(count("connection "), 1);
    EXPECT(count("receive "), 1);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
