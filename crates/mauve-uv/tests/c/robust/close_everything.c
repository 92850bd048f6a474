/* One callback of each kind that has to do with the outside closes all handles of the loop, its own
 * included. Each is overwritten and freed in its close callback, requests in theirs; nothing of
 * them is touched after that. */
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

static void close_it(uv_handle_t *handle, void *argument) {
    (void)argument;
    if (!uv_is_closing(handle)) uv_close(handle, on_close);
}

static void happened(const char *what) {
    if (strcmp(what, chosen) != 0 || calls > 0) return;
    calls++;
    uv_walk(&loop, close_it, NULL);
}

static void *fresh(size_t size) {
    void *memory = malloc(size);
    memset(memory, 0xaa, size);
    return memory;
}

#define FRESH(type) ((type *)fresh(sizeof(type)))

static void get_memory(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    static char memory[64];
    (void)handle;
    (void)size;
    *buffer = uv_buf_init(memory, sizeof memory);
    happened("alloc");
}

static void on_write(uv_write_t *request, int status) {
    (void)status;
    free(request);
    happened("write");
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)status;
    free(request);
    happened("shutdown");
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream;
    (void)buffer;
    happened(count < 0 ? "end" : "read");
}

static void talk(uv_stream_t *stream) {
    uv_buf_t buffer = uv_buf_init("hello", 5);
    uv_write(FRESH(uv_write_t), stream, &buffer, 1, on_write);
    uv_shutdown(FRESH(uv_shutdown_t), stream, on_shutdown);
}

static void on_connection(uv_stream_t *server, int status) {
    assert(status == 0);
    happened("connection");
    if (calls > 0) return;
    uv_tcp_t *accepted = FRESH(uv_tcp_t);
    uv_tcp_init(&loop, accepted);
    assert(uv_accept(server, STREAM(accepted)) == 0);
    uv_read_start(STREAM(accepted), get_memory, on_read);
    talk(STREAM(accepted));
}

static void on_connect(uv_connect_t *request, int status) {
    uv_stream_t *stream = request->handle;
    free(request);
    happened("connect");
    if (status != 0 || calls > 0) return;
    uv_read_start(stream, get_memory, on_read);
    talk(stream);
}

static void on_receive(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer,
                       const struct sockaddr *address, unsigned flags) {
    (void)udp;
    (void)buffer;
    (void)flags;
    if (count != 0 || address != NULL) happened("receive");
}

static void on_send(uv_udp_send_t *request, int status) {
    (void)status;
    free(request);
    happened("send");
}

static void on_signal(uv_signal_t *signal, int number) {
    (void)signal;
    (void)number;
    happened("signal");
}

static void on_exit_of(uv_process_t *process, int64_t status, int signal) {
    (void)process;
    (void)status;
    (void)signal;
    happened("exit");
}

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    (void)status;
    free(work);
    happened("work");
}

static void on_fs(uv_fs_t *fs) {
    uv_fs_req_cleanup(fs);
    free(fs);
    happened("fs");
}

static void on_resolved(uv_getaddrinfo_t *request, int status, struct addrinfo *found) {
    (void)status;
    uv_freeaddrinfo(found);
    free(request);
    happened("getaddrinfo");
}

/* Everything at once, with `what` as the one that ends it. */
static void play(const char *what) {
    struct sockaddr_in address;
    int length = sizeof address;
    chosen = what;
    calls = closes = 0;
    uv_loop_init(&loop);

    uv_tcp_t *server = FRESH(uv_tcp_t), *client = FRESH(uv_tcp_t);
    address = serve(&loop, server, on_connection);
    uv_tcp_init(&loop, client);
    assert(uv_tcp_connect(FRESH(uv_connect_t), client, SOCKADDR(&address), on_connect) == 0);

    uv_udp_t *udp = FRESH(uv_udp_t);
    uv_buf_t buffer = uv_buf_init("hello", 5);
    uv_udp_init(&loop, udp);
    address = loopback(0);
    assert(uv_udp_bind(udp, SOCKADDR(&address), 0) == 0);
    assert(uv_udp_getsockname(udp, (struct sockaddr *)&address, &length) == 0);
    uv_udp_recv_start(udp, get_memory, on_receive);
    uv_udp_send(FRESH(uv_udp_send_t), udp, &buffer, 1, SOCKADDR(&address), on_send);

    uv_signal_t *signal = FRESH(uv_signal_t);
    uv_signal_init(&loop, signal);
    uv_signal_start(signal, on_signal, SIGUSR1);
    raise(SIGUSR1);

    uv_process_t *process = FRESH(uv_process_t);
    char *arguments[] = {"true", NULL};
    uv_process_options_t options = {.file = "true", .args = arguments, .exit_cb = on_exit_of};
    assert(uv_spawn(&loop, process, &options) == 0);

    uv_queue_work(&loop, FRESH(uv_work_t), on_work, after_work);
    uv_fs_stat(&loop, FRESH(uv_fs_t), "/", on_fs);
    uv_getaddrinfo(&loop, FRESH(uv_getaddrinfo_t), on_resolved, "127.0.0.1", "80", NULL);

    uv_run(&loop, UV_RUN_DEFAULT);
    /* How many connections there were by then depends on the order of events. */
    say("%s: called %d, closed all %d, left %s", what, calls, closes >= 5, code(uv_loop_close(&loop)));
}

int main(void) {
    static const char *kinds[] = {"alloc",   "read",   "end",    "write", "shutdown", "connection",
                                  "connect", "receive", "send",  "signal", "exit",    "work",
                                  "fs",      "getaddrinfo"};
    for (size_t i = 0; i < COUNT(kinds); i++) play(kinds[i]);
    return 0;
}
