/* Data that a callback leaves unread is reported again, for accepted, connected and opened
 * sockets: after uv_read_stop, after a full buffer, without a buffer,
 * and with UV_EOF following. */
#include "net.h"

enum { SMALL = 10, STOP_EACH = 1, NO_BUFFER_FIRST = 2, STOP_AND_START = 4, LATE = 8 };

static uv_loop_t loop;
static uv_tcp_t server, client, accepted;
static uv_timer_t timer;
static struct sockaddr_in address;
static int mode, enobufs;
static size_t received, counts[64], callbacks;
static char small[SMALL];

static void on_small_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    (void)size;
    if (mode & NO_BUFFER_FIRST && enobufs < 3) {
        *buffer = uv_buf_init(NULL, 0);
    } else {
        *buffer = uv_buf_init(small, SMALL);
    }
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer);

static void on_timer(uv_timer_t *handle) {
    assert(uv_read_start(handle->data, on_small_alloc, on_read) == 0);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    if (count == UV_ENOBUFS) {
        enobufs++;
        return;
    }
    if (callbacks < 64) counts[callbacks++] = count;
    if (count < 0) {
        print("  %s after %zu bytes, ENOBUFS %d", uv_err_name(count), received, enobufs);
        uv_close(HANDLE(stream), NULL);
        uv_close(HANDLE(&timer), NULL);
        return;
    }
    received += count;
    if (mode & STOP_EACH) {
        uv_read_stop(stream);
        timer.data = stream;
        uv_timer_start(&timer, on_timer, mode & LATE ? 2 : 0, 0);
    }
    if (mode & STOP_AND_START) {
        uv_read_stop(stream);
        uv_read_start(stream, on_small_alloc, on_read);
    }
}

static void start_reading(uv_stream_t *stream) {
    uv_timer_init(&loop, &timer);
    received = callbacks = enobufs = 0;
    assert(uv_read_start(stream, on_small_alloc, on_read) == 0);
}

static void send_and_close(int fd, size_t size) {
    char bytes[1000];
    memset(bytes, 'm', sizeof bytes);
    assert(write(fd, bytes, size) == (ssize_t)size);
    close(fd);
}

static void on_connection(uv_stream_t *stream, int status) {
    assert(status == 0);
    uv_tcp_init(&loop, &accepted);
    assert(uv_accept(stream, STREAM(&accepted)) == 0);
    start_reading(STREAM(&accepted));
    uv_close(HANDLE(stream), NULL);
}

static void on_connect(uv_connect_t *request, int status) {
    assert(status == 0);
    start_reading(request->handle);
}

/* A connection that the loop accepts. */
static void as_server(size_t size) {
    address = listen_on_loopback(&loop, &server, on_connection);
    int peer = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(peer, SOCKADDR(&address), sizeof address) == 0);
    send_and_close(peer, size);
}

/* A connection that the loop makes. */
static uv_connect_t request;

static void as_client(size_t size) {
    struct sockaddr_in any = loopback(0);
    socklen_t length = sizeof any;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, SOCKADDR(&any), sizeof any) == 0 && listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&any, &length) == 0);
    uv_tcp_init(&loop, &client);
    assert(uv_tcp_connect(&request, &client, SOCKADDR(&any), on_connect) == 0);
    int peer = accept(listener, NULL, NULL);
    send_and_close(peer, size);
    close(listener);
}

/* A connection that is opened with uv_tcp_open. */
static void as_opened(size_t size) {
    int peer = tcp_with_peer(&loop, &client);
    send_and_close(peer, size);
    start_reading(STREAM(&client));
}

static void run_scenario(const char *name, void (*set_up)(size_t), int read_mode, size_t size) {
    print("%s, mode %d, %zu bytes", name, read_mode, size);
    mode = read_mode;
    uv_loop_init(&loop);
    set_up(size);
    uv_run(&loop, UV_RUN_DEFAULT);
    for (size_t i = 0; i < callbacks && i < 8; i++) print("  %zd", (ssize_t)counts[i]);
    print("  %zu callbacks", callbacks);
    print("  close %s", code(close_loop(&loop)));
}

int main(void) {
    static const int MODES[] = {0, STOP_EACH, STOP_EACH | LATE, NO_BUFFER_FIRST, STOP_AND_START};
    static const size_t SIZES[] = {1, SMALL, SMALL + 1, 35 * SMALL + 5};
    for (size_t m = 0; m < COUNT(MODES); m++) {
        for (size_t s = 0; s < COUNT(SIZES); s++) {
            run_scenario("server", as_server, MODES[m], SIZES[s]);
            run_scenario("client", as_client, MODES[m], SIZES[s]);
            run_scenario("opened", as_opened, MODES[m], SIZES[s]);
        }
    }
    return 0;
}
