/* pthread_cancel of a thread that is in a callback and then calls the library: the thread ends at one of
 * the cancellation points of that call, or later, and nothing aborts. Each call runs in a process of its
 * own, because libuv does not finish it. */
#include "net.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>

static uv_loop_t loop;
static uv_timer_t timer;
static uv_pipe_t stream;
static uv_tcp_t tcp;
static uv_udp_t udp;
static uv_sem_t in_callback, cancelled;
static struct sockaddr_in address;
static int ends[2];

static uv_buf_t buffer(void) {
    static char bytes[64];
    return uv_buf_init(bytes, sizeof bytes);
}

static void on_read(uv_stream_t *handle, ssize_t count, const uv_buf_t *from) {
    (void)handle, (void)count, (void)from;
}

static void on_connection(uv_stream_t *server, int status) {
    (void)server, (void)status;
}

static void on_signal(uv_signal_t *handle, int signum) {
    (void)handle, (void)signum;
}

static void on_file(uv_fs_event_t *handle, const char *name, int events, int status) {
    (void)handle, (void)name, (void)events, (void)status;
}

static void on_fs(uv_fs_t *request) {
    uv_fs_req_cleanup(request);
}

static void on_address(uv_getaddrinfo_t *request, int status, struct addrinfo *found) {
    (void)request, (void)status;
    uv_freeaddrinfo(found);
}

static void work(uv_work_t *request) {
    (void)request;
}

static void call_close(void) {
    uv_close(HANDLE(&stream), NULL);
}

static void call_write(void) {
    static uv_write_t request;
    uv_buf_t buf = buffer();
    uv_write(&request, STREAM(&stream), &buf, 1, NULL);
}

static void call_try_write(void) {
    uv_buf_t buf = buffer();
    uv_try_write(STREAM(&stream), &buf, 1);
}

static void call_connect(void) {
    static uv_connect_t request;
    uv_tcp_connect(&request, &tcp, SOCKADDR(&address), NULL);
}

static void call_listen(void) {
    uv_tcp_bind(&tcp, SOCKADDR(&address), 0);
    uv_listen(STREAM(&tcp), 1, on_connection);
}

static void call_pipe_bind(void) {
    static uv_pipe_t server;
    uv_pipe_init(&loop, &server, 0);
    uv_pipe_bind(&server, "/nonexistent/socket");
    uv_close(HANDLE(&server), NULL);
}

static void call_udp_send(void) {
    static uv_udp_send_t request;
    uv_buf_t buf = buffer();
    uv_udp_send(&request, &udp, &buf, 1, SOCKADDR(&address), NULL);
}

static void call_udp_try_send(void) {
    uv_buf_t buf = buffer();
    uv_udp_try_send(&udp, &buf, 1, SOCKADDR(&address));
}

static void call_udp_connect(void) {
    uv_udp_connect(&udp, SOCKADDR(&address));
}

static void call_spawn(void) {
    static uv_process_t process;
    char *args[] = {"true", NULL};
    uv_process_options_t options = {.file = "true", .args = args};
    uv_spawn(&loop, &process, &options);
}

static void call_fs_event_start(void) {
    static uv_fs_event_t event;
    uv_fs_event_init(&loop, &event);
    uv_fs_event_start(&event, on_file, "/", 0);
}

static void call_signal_start(void) {
    static uv_signal_t handle;
    uv_signal_init(&loop, &handle);
    uv_signal_start(&handle, on_signal, SIGUSR1);
}

static void call_queue_work(void) {
    static uv_work_t request;
    uv_queue_work(&loop, &request, work, NULL);
}

static void call_loop_close(void) {
    uv_loop_t other;
    uv_loop_init(&other);
    uv_loop_close(&other);
}

static void call_interface_addresses(void) {
    uv_interface_address_t *list;
    int count;
    if (uv_interface_addresses(&list, &count) == 0)
        uv_free_interface_addresses(list, count);
}

static void call_cpu_info(void) {
    uv_cpu_info_t *list;
    int count;
    if (uv_cpu_info(&list, &count) == 0)
        uv_free_cpu_info(list, count);
}

static void call_getaddrinfo(void) {
    static uv_getaddrinfo_t request;
    uv_getaddrinfo(&loop, &request, on_address, "127.0.0.1", NULL, NULL);
}

static void call_getaddrinfo_sync(void) {
    static uv_getaddrinfo_t request;
    if (uv_getaddrinfo(&loop, &request, NULL, "127.0.0.1", NULL, NULL) == 0)
        uv_freeaddrinfo(request.addrinfo);
}

static void call_fs_stat(void) {
    static uv_fs_t request;
    uv_fs_stat(&loop, &request, "/", on_fs);
}

static void call_fs_open_sync(void) {
    uv_fs_t request;
    uv_fs_open(NULL, &request, "/", O_RDONLY, 0, NULL);
    uv_fs_req_cleanup(&request);
}

/* The loop reads after the callback. */
static void call_read(void) {
    uv_read_start(STREAM(&stream), on_alloc, on_read);
}

static const struct {
    const char *name;
    void (*function)(void);
} calls[] = {
    {"uv_close", call_close},
    {"uv_write", call_write},
    {"uv_try_write", call_try_write},
    {"uv_tcp_connect", call_connect},
    {"uv_listen", call_listen},
    {"uv_pipe_bind", call_pipe_bind},
    {"uv_udp_send", call_udp_send},
    {"uv_udp_try_send", call_udp_try_send},
    {"uv_udp_connect", call_udp_connect},
    {"uv_spawn", call_spawn},
    {"uv_fs_event_start", call_fs_event_start},
    {"uv_signal_start", call_signal_start},
    {"uv_queue_work", call_queue_work},
    {"uv_loop_close", call_loop_close},
    {"uv_interface_addresses", call_interface_addresses},
    {"uv_cpu_info", call_cpu_info},
    {"uv_getaddrinfo", call_getaddrinfo},
    {"uv_getaddrinfo, synchronous", call_getaddrinfo_sync},
    {"uv_fs_stat", call_fs_stat},
    {"uv_fs_open, synchronous", call_fs_open_sync},
    {"a read of the loop", call_read},
};

static void on_timer(uv_timer_t *handle) {
    void (*function)(void) = handle->data;
    uv_sem_post(&in_callback);
    /* Waits without a cancellation point. */
    while (uv_sem_trywait(&cancelled) != 0)
        continue;
    function();
    pthread_testcancel();
}

static void *run(void *arg) {
    (void)arg;
    uv_run(&loop, UV_RUN_DEFAULT);
    return NULL;
}

static void cancel_in(void (*function)(void)) {
    pthread_t thread;
    void *result;
    assert(uv_sem_init(&in_callback, 0) == 0);
    assert(uv_sem_init(&cancelled, 0) == 0);
    address = loopback(9);
    assert(uv_loop_init(&loop) == 0);
    assert(uv_timer_init(&loop, &timer) == 0);
    assert(uv_tcp_init(&loop, &tcp) == 0);
    assert(uv_udp_init(&loop, &udp) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(uv_pipe_init(&loop, &stream, 0) == 0);
    assert(uv_pipe_open(&stream, ends[0]) == 0);
    assert(write(ends[1], "x", 1) == 1);
    timer.data = (void *)function;
    assert(uv_timer_start(&timer, on_timer, 0, 0) == 0);
    assert(pthread_create(&thread, NULL, run, NULL) == 0);
    uv_sem_wait(&in_callback);
    assert(pthread_cancel(thread) == 0);
    uv_sem_post(&cancelled);
    assert(pthread_join(thread, &result) == 0);
    /* Without the exit handlers of the library: it may have lost work. */
    _exit(result == PTHREAD_CANCELED ? 0 : 1);
}

int main(void) {
    for (size_t i = 0; i < COUNT(calls); i++) {
        int status;
        pid_t pid = fork();
        if (pid == 0)
            cancel_in(calls[i].function);
        assert(waitpid(pid, &status, 0) == pid);
        if (WIFSIGNALED(status))
            print("%s: signal %d", calls[i].name, WTERMSIG(status));
        else
            print("%s: %s", calls[i].name, WEXITSTATUS(status) == 0 ? "cancelled" : "not cancelled");
    }
    return 0;
}
