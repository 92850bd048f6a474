/* needs: 1.52 */
#include "errors.h"

#include <dirent.h>

static uv_buf_t byte;
static uv_write_t write_request;
static uv_connect_t connect_request;

static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)events;
    got = status;
    uv_poll_stop(poll);
}

static void polling(void) {
    static uv_poll_t broken;
    int ends[2];
    OK(pipe(ends));
    OK(uv_poll_init(loop, &broken, ends[1]));
    OK(uv_poll_start(&broken, UV_PRIORITIZED, on_poll));
    /* The writing end of a pipe without a reader is in an error state. */
    close(ends[0]);
    FAILS(uv_poll_start, UV_EBADF, AFTER_RUN(0));
}

static void streams(void) {
    static uv_tcp_t tcp;
    static uv_pipe_t ipc;
    static uv_tcp_t sent;
    int ends[2], peer = tcp_with_peer(loop, &tcp);
    uv_buf_t large[2] = {uv_buf_init(byte.base, 0x7ffff000), byte};
    FAILS(uv_write, UV_EINVAL, uv_write(&write_request, STREAM(&tcp), &byte, 0, NULL));
    FAILS(uv_write, UV_EINVAL, uv_write(&write_request, STREAM(&tcp), large, 2, NULL));
    FAILS(uv_try_write, UV_EINVAL, uv_try_write(STREAM(&tcp), &byte, 0));
    FAILS(uv_try_write, UV_EINVAL, uv_try_write(STREAM(&tcp), large, 2));
    local_sockets(ends);
    OK(uv_pipe_init(loop, &ipc, 1));
    OK(uv_pipe_open(&ipc, ends[0]));
    OK(uv_tcp_init_ex(loop, &sent, AF_INET));
    FAILS(uv_write2, UV_EINVAL, uv_write2(&write_request, STREAM(&ipc), &byte, 0, STREAM(&sent), NULL));
    FAILS(uv_write2, UV_EINVAL, uv_write2(&write_request, STREAM(&ipc), large, 2, STREAM(&sent), NULL));
    FAILS(uv_try_write2, UV_EINVAL, uv_try_write2(STREAM(&ipc), &byte, 0, STREAM(&sent)));
    FAILS(uv_try_write2, UV_EINVAL, uv_try_write2(STREAM(&ipc), large, 2, STREAM(&sent)));
    static uv_tcp_t unopened;
    static uv_pipe_t plain;
    int other = pipe_with_peer(loop, &plain);
    FAILS(uv_try_write2, UV_EINVAL, uv_try_write2(STREAM(&plain), &byte, 1, STREAM(&sent)));
    close(other);
    OK(uv_tcp_init(loop, &unopened));
    FAILS(uv_try_write2, UV_EBADF, uv_try_write2(STREAM(&ipc), &byte, 1, STREAM(&unopened)));
    close(peer);
    close(ends[1]);
}

static void tcp(void) {
    static uv_tcp_t tcp;
    OK(uv_tcp_init_ex(loop, &tcp, AF_INET));
    FAILS(uv_tcp_keepalive_ex, UV_EINVAL, uv_tcp_keepalive_ex(&tcp, 1, 0, 1, 1));
    FAILS(uv_tcp_keepalive_ex, UV_EINVAL, uv_tcp_keepalive_ex(&tcp, 1, 1, 0, 1));
    FAILS(uv_tcp_keepalive_ex, UV_EINVAL, uv_tcp_keepalive_ex(&tcp, 1, 1, 1, 0));
}

static void pipes(void) {
    static uv_pipe_t pipe, second, client, closing;
    char name[200], small[2];
    size_t size = 0;
    memset(name, 'a', sizeof name);
    OK(uv_pipe_init(loop, &pipe, 0));
    OK(uv_pipe_init(loop, &second, 0));
    FAILS(uv_pipe_bind2, UV_EINVAL, uv_pipe_bind2(&pipe, "a", 1, 99));
    FAILS(uv_pipe_bind2, UV_EINVAL, uv_pipe_bind2(&pipe, NULL, 1, 0));
    FAILS(uv_pipe_bind2, UV_EINVAL, uv_pipe_bind2(&pipe, "a\0b", 3, 0));
    FAILS(uv_pipe_bind2, UV_EINVAL, uv_pipe_bind2(&pipe, name, sizeof name, UV_PIPE_NO_TRUNCATE));
    FAILS(uv_pipe_bind2, UV_EACCES, uv_pipe_bind2(&pipe, "missing/a", 9, 0));
    OK(uv_pipe_bind2(&pipe, "socket", 6, 0));
    FAILS(uv_pipe_bind2, UV_EINVAL, uv_pipe_bind2(&pipe, "other", 5, 0));
    FAILS(uv_pipe_bind2, UV_EADDRINUSE, uv_pipe_bind2(&second, "socket", 6, 0));
    FAILS(uv_pipe_getsockname, UV_EINVAL, uv_pipe_getsockname(&pipe, name, &size));
    FAILS(uv_pipe_getpeername, UV_EINVAL, uv_pipe_getpeername(&pipe, name, &size));
    size = sizeof small;
    FAILS(uv_pipe_getsockname, UV_EINVAL, uv_pipe_getsockname(&pipe, NULL, &size));

    OK(uv_pipe_init(loop, &client, 0));
    FAILS(uv_pipe_connect2, UV_EINVAL, uv_pipe_connect2(&connect_request, &client, "a", 1, 99, NULL));
    FAILS(uv_pipe_connect2, UV_EINVAL, uv_pipe_connect2(&connect_request, &client, NULL, 1, 0, NULL));
    FAILS(uv_pipe_connect2, UV_EINVAL, uv_pipe_connect2(&connect_request, &client, "", 0, 0, NULL));
    FAILS(uv_pipe_connect2, UV_EINVAL, uv_pipe_connect2(&connect_request, &client, "a\0b", 3, 0, NULL));
    FAILS(uv_pipe_connect2, UV_EINVAL,
          uv_pipe_connect2(&connect_request, &client, name, sizeof name, UV_PIPE_NO_TRUNCATE, NULL));
    FAILS(uv_pipe_connect2, UV_ENOENT,
          AFTER_RUN(uv_pipe_connect2(&connect_request, &client, "missing", 7, 0, on_connect)));
    FAILS(uv_pipe_connect2, UV_ECONNREFUSED,
          AFTER_RUN(uv_pipe_connect2(&connect_request, &client, "socket", 6, 0, on_connect)));
    uv_pipe_connect(&connect_request, &client, "", on_connect);
    FAILS(uv_pipe_connect, UV_EINVAL, AFTER_RUN(0));
    OK(uv_listen(STREAM(&pipe), 1, on_connection));
    uv_unref(HANDLE(&pipe));
    OK(uv_pipe_init(loop, &closing, 0));
    OK(uv_pipe_connect2(&connect_request, &closing, "socket", 6, 0, on_connect));
    uv_close(HANDLE(&closing), NULL);
    FAILS(uv_pipe_connect2, UV_ECANCELED, AFTER_RUN(0));
}

static void on_receive(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                       const struct sockaddr *address, unsigned flags) {
    (void)udp, (void)count, (void)buffer, (void)address, (void)flags;
}

static void udp(void) {
    static uv_udp_t unopened, udp, watcher, other;
    static uv_udp_send_t request;
    struct sockaddr_in address = unused_address();
    struct sockaddr *addresses[] = {(struct sockaddr *)&address};
    uv_buf_t large[2] = {uv_buf_init(byte.base, 0x7ffff000), byte}, *buffers[] = {&byte};
    unsigned counts[] = {1}, none[] = {0};
    OK(uv_udp_init(loop, &unopened));
    OK(uv_udp_init_ex(loop, &udp, AF_INET));
    FAILS(uv_udp_send, UV_EINVAL, uv_udp_send(&request, &udp, &byte, 0, SOCKADDR(&address), NULL));
    FAILS(uv_udp_send, UV_EINVAL, uv_udp_send(&request, &udp, large, 2, SOCKADDR(&address), NULL));
    FAILS(uv_udp_try_send, UV_EINVAL, uv_udp_try_send(&udp, &byte, 0, SOCKADDR(&address)));
    FAILS(uv_udp_try_send, UV_EINVAL, uv_udp_try_send(&udp, large, 2, SOCKADDR(&address)));
    FAILS(uv_udp_try_send2, UV_EINVAL, uv_udp_try_send2(&udp, 0, buffers, counts, addresses, 0));
    FAILS(uv_udp_try_send2, UV_EINVAL, uv_udp_try_send2(&udp, 1, buffers, counts, addresses, 1));
    FAILS(uv_udp_try_send2, UV_EINVAL, uv_udp_try_send2(&udp, 1, buffers, none, addresses, 0));
    FAILS(uv_udp_try_send2, UV_EINVAL, uv_udp_try_send2(&unopened, 1, buffers, counts, addresses, 0));
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    FAILS(uv_udp_open_ex, UV_EINVAL, uv_udp_open_ex(&unopened, fd, 1 << 12));
    FAILS(uv_udp_open_ex, UV_EBUSY, uv_udp_open_ex(&udp, fd, 0));
    OK(uv_udp_init(loop, &watcher));
    OK(uv_udp_open_ex(&watcher, fd, 0));
    OK(uv_udp_recv_start(&watcher, on_alloc, on_receive));
    OK(uv_udp_init(loop, &other));
    FAILS(uv_udp_open_ex, UV_EEXIST, uv_udp_open_ex(&other, fd, 0));
    FAILS(uv_udp_open_ex, UV_EBADF, uv_udp_open_ex(&other, closed_descriptor(), 0));
    OK(uv_udp_recv_stop(&watcher));
}

/* A local socket whose peer does not read. */
static void full_queue(void) {
    static uv_udp_t udp;
    int ends[2], result = 0;
    uv_buf_t *buffers[] = {&byte};
    unsigned counts[] = {1};
    struct sockaddr *addresses[] = {NULL};
    OK(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
    OK(uv_udp_init(loop, &udp));
    OK(uv_udp_open(&udp, ends[0]));
    for (int count = 0; count < 1000000 && result >= 0; count++)
        result = uv_udp_try_send2(&udp, 1, buffers, counts, addresses, 0);
    FAILS(uv_udp_try_send2, UV_EAGAIN, result);
    close(ends[1]);
}

static uv_sem_t release;

static void wait_for_release(void *argument) {
    (void)argument;
    uv_sem_wait(&release);
}

static void return_at_once(void *argument) { (void)argument; }

static int thread_count(void) {
    int count = 0;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *entry; (entry = readdir(threads)) != NULL;) count += entry->d_name[0] != '.';
    closedir(threads);
    return count;
}

/* A thread that has ended and was not joined. */
static void ended_thread(void) {
    uv_thread_t thread;
    char name[16];
    int priority, count = thread_count();
    OK(uv_thread_create(&thread, return_at_once, NULL));
    while (thread_count() > count) usleep(1000);
    FAILS(uv_thread_getname, UV_ENOENT, uv_thread_getname(&thread, name, sizeof name));
    FAILS(uv_thread_getpriority, UV_ESRCH, uv_thread_getpriority(thread, &priority));
    FAILS(uv_thread_setpriority, UV_ESRCH, uv_thread_setpriority(thread, 0));
    OK(uv_thread_join(&thread));
}

static void threads(void) {
    uv_thread_t self = uv_thread_self(), thread;
    char name[16];
    int masks = uv_cpumask_size();
    FAILS(uv_thread_setname, UV_EINVAL, uv_thread_setname(NULL));
    FAILS(uv_thread_getname, UV_EINVAL, uv_thread_getname(&self, NULL, 9));
    FAILS(uv_thread_getname, UV_EINVAL, uv_thread_getname(&self, name, 0));
    FAILS(uv_thread_setpriority, UV_EINVAL, uv_thread_setpriority(self, 99));
    FAILS(uv_thread_getpriority, UV_EINVAL, uv_thread_getpriority(self, NULL));
    char *mask = calloc(masks, 1);
    FAILS(uv_thread_setaffinity, UV_EINVAL, uv_thread_setaffinity(&self, mask, NULL, masks - 1));
    FAILS(uv_thread_setaffinity, UV_EINVAL, uv_thread_setaffinity(&self, mask, NULL, masks));
    FAILS(uv_thread_getaffinity, UV_EINVAL, uv_thread_getaffinity(&self, mask, masks - 1));
    free(mask);
    OK(uv_sem_init(&release, 0));
    OK(uv_thread_create(&thread, wait_for_release, NULL));
    OK(uv_thread_detach(&thread));
    FAILS(uv_thread_detach, UV_EINVAL, uv_thread_detach(&thread));
    FAILS(uv_thread_join, UV_EINVAL, uv_thread_join(&thread));
}

static void system_and_text(void) {
    uv_fs_t request;
    uv_passwd_t user;
    uv_group_t group;
    uv_timespec64_t time;
    int file = open("regular", O_CREAT | O_RDWR, 0600);
    uv_buf_t large[2] = {uv_buf_init(byte.base, 0x7ffff000), byte};
    FAILS(uv_fs_write, UV_EINVAL, uv_fs_write(NULL, &request, file, large, 2, 0, NULL));
    FAILS(uv_fs_sendfile, UV_EINVAL, uv_fs_sendfile(NULL, &request, file, file, 0, 0x7ffff001, NULL));
    FAILS(uv_os_get_passwd2, UV_EINVAL, uv_os_get_passwd2(NULL, 0));
    FAILS(uv_os_get_passwd2, UV_ENOENT, uv_os_get_passwd2(&user, 3999999999u));
    FAILS(uv_os_get_group, UV_EINVAL, uv_os_get_group(NULL, 0));
    FAILS(uv_os_get_group, UV_ENOENT, uv_os_get_group(&group, 3999999999u));
    FAILS(uv_clock_gettime, UV_EFAULT, uv_clock_gettime(UV_CLOCK_MONOTONIC, NULL));
    FAILS(uv_clock_gettime, UV_EINVAL, uv_clock_gettime((uv_clock_id)99, &time));
    char text[2], *to = text;
    size_t length = 1;
    uint16_t wide[] = {'a', 'b', 'c'};
    FAILS(uv_utf16_to_wtf8, UV_ENOBUFS, uv_utf16_to_wtf8(wide, 3, &to, &length));
    FAILS(uv_wtf8_length_as_utf16, UV_EINVAL, uv_wtf8_length_as_utf16("\xff"));
}

int main(void) {
    begin();
    byte = uv_buf_init("x", 1);
    polling();
    streams();
    tcp();
    pipes();
    udp();
    full_queue();
    ended_thread();
    threads();
    system_and_text();
    return end();
}
