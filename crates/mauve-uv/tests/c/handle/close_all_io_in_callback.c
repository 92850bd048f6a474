/* One callback of each I/O type closes all handles of the loop, including its own. Handles are
 * overwritten and freed in their close callback, requests in theirs, and not accessed after that.
 * */
#include "net.h"

static uv_loop_t loop;
static const char *chosen;
static int calls, closes;

static void on_close(uv_handle_t *handle) {
    size_t size = uv_handle_size(handle->type);
    closes++;
    memset(handle, 0xdd, size);
    free(handle);
}

static void close_one(uv_handle_t *handle, void *argument) {
    (void)argument;
    if (!uv_is_closing(handle)) uv_close(handle, on_close);
}

static void close_all_if_chosen(const char *what) {
    if (strcmp(what, chosen) != 0 || calls > 0) return;
    calls++;
    uv_walk(&loop, close_one, NULL);
}

static void *allocate(size_t size) {
    void *memory = malloc(size);
    memset(memory, 0xaa, size);
    return memory;
}

#define ALLOCATE(type) ((type *)allocate(sizeof(type)))

static void on_alloc_buffer(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    static char memory[64];
    (void)handle;
    (void)size;
    *buffer = uv_buf_init(memory, sizeof memory);
    close_all_if_chosen("alloc");
}

static void on_write(uv_write_t *request, int status) {
    (void)status;
    free(request);
    close_all_if_chosen("write");
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)status;
    free(request);
    close_all_if_chosen("shutdown");
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream;
    (void)buffer;
    close_all_if_chosen(count < 0 ? "end" : "read");
}

static void write_and_shut_down(uv_stream_t *stream) {
    uv_buf_t buffer = uv_buf_init("hello", 5);
    uv_write(ALLOCATE(uv_write_t), stream, &buffer, 1, on_write);
    uv_shutdown(ALLOCATE(uv_shutdown_t), stream, on_shutdown);
}

static void on_connection(uv_stream_t *server, int status) {
    assert(status == 0);
    close_all_if_chosen("connection");
    if (calls > 0) return;
    uv_tcp_t *accepted = ALLOCATE(uv_tcp_t);
    uv_tcp_init(&loop, accepted);
    assert(uv_accept(server, STREAM(accepted)) == 0);
    uv_read_start(STREAM(accepted), on_alloc_buffer, on_read);
    write_and_shut_down(STREAM(accepted));
}

static void on_connect(uv_connect_t *request, int status) {
    uv_stream_t *stream = request->handle;
    free(request);
    close_all_if_chosen("connect");
    if (status != 0 || calls > 0) return;
    uv_read_start(stream, on_alloc_buffer, on_read);
    write_and_shut_down(stream);
}

static void on_receive(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                       const struct sockaddr *address, unsigned flags) {
    (void)udp;
    (void)buffer;
    (void)flags;
    if (count != 0 || address != NULL) close_all_if_chosen("receive");
}

static void on_send(uv_udp_send_t *request, int status) {
    (void)status;
    free(request);
    close_all_if_chosen("send");
}

static void on_signal(uv_signal_t *signal, int number) {
    (void)signal;
    (void)number;
    close_all_if_chosen("signal");
}

static void on_process_exit(uv_process_t *process, int64_t status, int signal) {
    (void)process;
    (void)status;
    (void)signal;
    close_all_if_chosen("exit");
}

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    (void)status;
    free(work);
    close_all_if_chosen("work");
}

static void on_fs(uv_fs_t *fs) {
    uv_fs_req_cleanup(fs);
    free(fs);
    close_all_if_chosen("fs");
}

static void on_resolved(uv_getaddrinfo_t *request, int status, struct addrinfo *found) {
    (void)status;
    uv_freeaddrinfo(found);
    free(request);
    close_all_if_chosen("getaddrinfo");
}

/* Starts all kinds of I/O. The callback named `what` closes all handles. */
static void run_scenario(const char *what) {
    struct sockaddr_in address;
    int length = sizeof address;
    chosen = what;
    calls = closes = 0;
    uv_loop_init(&loop);

    uv_tcp_t *server = ALLOCATE(uv_tcp_t), *client = ALLOCATE(uv_tcp_t);
    address = listen_on_loopback(&loop, server, on_connection);
    uv_tcp_init(&loop, client);
    assert(uv_tcp_connect(ALLOCATE(uv_connect_t), client, SOCKADDR(&address), on_connect) == 0);

    uv_udp_t *udp = ALLOCATE(uv_udp_t);
    uv_buf_t buffer = uv_buf_init("hello", 5);
    uv_udp_init(&loop, udp);
    address = loopback(0);
    assert(uv_udp_bind(udp, SOCKADDR(&address), 0) == 0);
    assert(uv_udp_getsockname(udp, (struct sockaddr *)&address, &length) == 0);
    uv_udp_recv_start(udp, on_alloc_buffer, on_receive);
    uv_udp_send(ALLOCATE(uv_udp_send_t), udp, &buffer, 1, SOCKADDR(&address), on_send);

    uv_signal_t *signal = ALLOCATE(uv_signal_t);
    uv_signal_init(&loop, signal);
    uv_signal_start(signal, on_signal, SIGUSR1);
    raise(SIGUSR1);

    uv_process_t *process = ALLOCATE(uv_process_t);
    char *arguments[] = {"true", NULL};
    uv_process_options_t options = {.file = "true", .args = arguments, .exit_cb = on_process_exit};
    assert(uv_spawn(&loop, process, &options) == 0);

    uv_queue_work(&loop, ALLOCATE(uv_work_t), on_work, after_work);
    uv_fs_stat(&loop, ALLOCATE(uv_fs_t), "/", on_fs);
    uv_getaddrinfo(&loop, ALLOCATE(uv_getaddrinfo_t), on_resolved, "127.0.0.1", "80", NULL);

    uv_run(&loop, UV_RUN_DEFAULT);
    /* The number of connections depends on the order of events. */
    print("%s: called %d, closed all %d, close %s", what, calls, closes >= 5,
          code(uv_loop_close(&loop)));
}

int main(void) {
    static const char *kinds[] = {"alloc",   "read",   "end",    "write", "shutdown", "connection",
                                  "connect", "receive", "send",  "signal", "exit",    "work",
                                  "fs",      "getaddrinfo"};
    for (size_t i = 0; i < COUNT(kinds); i++) run_scenario(kinds[i]);
    return 0;
}
