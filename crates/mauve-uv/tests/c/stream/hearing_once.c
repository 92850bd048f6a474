/* What is left unread by a callback is told again, on every kind of connection that a loop makes or
 * takes: after a stop, after a full buffer, without a buffer, and with the peer's end behind it. */
#include "net.h"

enum { SMALL = 10, STOP_EACH = 1, NO_BUFFER_FIRST = 2, STOP_AND_START = 4, LATE = 8 };

static uv_loop_t loop;
static uv_tcp_t server, client, taken;
static uv_timer_t timer;
static struct sockaddr_in address;
static int how, refused;
static size_t got, told_at[64], tellings;
static char small[SMALL];

static void on_small_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    (void)size;
    if (how & NO_BUFFER_FIRST && refused < 3) {
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
        refused++;
        return;
    }
    if (tellings < 64) told_at[tellings++] = count;
    if (count < 0) {
        say("  %s after %zu bytes, refused %d", uv_err_name(count), got, refused);
        uv_close(HANDLE(stream), NULL);
        uv_close(HANDLE(&timer), NULL);
        return;
    }
    got += count;
    if (how & STOP_EACH) {
        uv_read_stop(stream);
        timer.data = stream;
        uv_timer_start(&timer, on_timer, how & LATE ? 2 : 0, 0);
    }
    if (how & STOP_AND_START) {
        uv_read_stop(stream);
        uv_read_start(stream, on_small_alloc, on_read);
    }
}

static void begin(uv_stream_t *stream) {
    uv_timer_init(&loop, &timer);
    got = tellings = refused = 0;
    assert(uv_read_start(stream, on_small_alloc, on_read) == 0);
}

static void send_and_end(int fd, size_t size) {
    char bytes[1000];
    memset(bytes, 'm', sizeof bytes);
    assert(write(fd, bytes, size) == (ssize_t)size);
    close(fd);
}

static void on_connection(uv_stream_t *stream, int status) {
    assert(status == 0);
    uv_tcp_init(&loop, &taken);
    assert(uv_accept(stream, STREAM(&taken)) == 0);
    begin(STREAM(&taken));
    uv_close(HANDLE(stream), NULL);
}

static void on_connect(uv_connect_t *request, int status) {
    assert(status == 0);
    begin(request->handle);
}

/* The loop takes a connection. */
static void as_server(size_t size) {
    address = serve(&loop, &server, on_connection);
    int peer = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(peer, SOCKADDR(&address), sizeof address) == 0);
    send_and_end(peer, size);
}

/* The loop makes one. */
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
    send_and_end(peer, size);
    close(listener);
}

/* The loop is given one. */
static void as_heir(size_t size) {
    int peer = tcp_with_peer(&loop, &client);
    send_and_end(peer, size);
    begin(STREAM(&client));
}

static void play(const char *name, void (*set_up)(size_t), int manner, size_t size) {
    say("%s, manner %d, %zu bytes", name, manner, size);
    how = manner;
    uv_loop_init(&loop);
    set_up(size);
    uv_run(&loop, UV_RUN_DEFAULT);
    for (size_t i = 0; i < tellings && i < 8; i++) say("  %zd", (ssize_t)told_at[i]);
    say("  told %zu times", tellings);
    say("  close %s", code(finish(&loop)));
}

int main(void) {
    static const int MANNERS[] = {0, STOP_EACH, STOP_EACH | LATE, NO_BUFFER_FIRST, STOP_AND_START};
    static const size_t SIZES[] = {1, SMALL, SMALL + 1, 35 * SMALL + 5};
    for (size_t m = 0; m < COUNT(MANNERS); m++) {
        for (size_t s = 0; s < COUNT(SIZES); s++) {
            play("server", as_server, MANNERS[m], SIZES[s]);
            play("client", as_client, MANNERS[m], SIZES[s]);
            play("heir", as_heir, MANNERS[m], SIZES[s]);
        }
    }
    return 0;
}
