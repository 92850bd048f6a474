/* env: MAUVE_SELECTOR=epoll */
/* More data arrives than one read returns: the backend descriptor stays readable until all is
 * read. */
#include "embedded.h"

enum { TOTAL = 32 * 1024, SMALL = 100 };

static uv_tcp_t server, accepted, client;
static size_t received, sent;
static int done, stops;
static char small[SMALL];

static void on_small(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(small, sizeof small);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    if (count < 0) {
        print("read %s", code(count));
        uv_close(HANDLE(stream), NULL);
        return;
    }
    received += count;
    done = received == sent;
    if (stops && received < TOTAL / 2) uv_stop(stream->loop);
}

static void on_connection(uv_stream_t *listener, int status) {
    assert(status == 0);
    uv_tcp_init(listener->loop, &accepted);
    assert(uv_accept(listener, STREAM(&accepted)) == 0);
    uv_read_start(STREAM(&accepted), on_small, on_read);
}

static void on_connect(uv_connect_t *request, int status) {
    assert(status == 0);
    uv_read_start(request->handle, on_small, on_read);
}

/* Fills the socket buffer before the first read, without a final EOF. */
static size_t send_all(int fd) {
    static char data[TOTAL];
    size_t sent = 0;
    ssize_t n;
    while (sent < TOTAL && (n = send(fd, data + sent, TOTAL - sent, MSG_DONTWAIT)) > 0)
        sent += n;
    assert(sent > 0);
    return sent;
}

static void receive_accepted(const char *source) {
    uv_loop_t loop;
    received = sent = done = 0;
    assert(uv_loop_init(&loop) == 0);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(fd, SOCKADDR(&address), sizeof address) == 0);
    /* Accepts the connection and registers it. */
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_run(&loop, UV_RUN_NOWAIT);
    sent = send_all(fd);
    run_embedded(&loop, &done);
    print("accepted, %s: missing %zu, %s", source, sent - received, code(close_loop(&loop)));
    close(fd);
}

static void receive_connected(const char *source) {
    uv_loop_t loop;
    uv_connect_t request;
    struct sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    received = sent = done = 0;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, SOCKADDR(&address), sizeof address) == 0);
    assert(listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    assert(uv_loop_init(&loop) == 0);
    uv_tcp_init(&loop, &client);
    assert(uv_tcp_connect(&request, &client, SOCKADDR(&address), on_connect) == 0);
    int fd = accept(listener, NULL, NULL);
    close(listener);
    sent = send_all(fd);
    run_embedded(&loop, &done);
    print("connected, %s: missing %zu, %s", source, sent - received, code(close_loop(&loop)));
    close(fd);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    for (stops = 0; stops < 2; stops++) {
        receive_accepted("uv_backend_fd");
        receive_connected("uv_backend_fd");
    }
    backend = backend_fd_field;
    for (stops = 0; stops < 2; stops++) {
        receive_accepted("loop->backend_fd");
        receive_connected("loop->backend_fd");
    }
    return 0;
}
