/* Urgent data between other data: all of the other data is read. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, accepted;
static uv_timer_t timer;
static int peer;
static size_t received;
static char text[64];

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count < 0) {
        print("%s after %s", uv_err_name(count), text);
        uv_close(HANDLE(stream), NULL);
        return;
    }
    memcpy(text + received, buffer->base, count);
    received += count;
    /* The peer sends the rest only after this. */
    if (received == 6) {
        print("read %s", text);
        assert(send(peer, "gh", 2, 0) == 2);
        close(peer);
    }
}

static void on_connection(uv_stream_t *stream, int status) {
    assert(status == 0);
    uv_tcp_init(&loop, &accepted);
    assert(uv_accept(stream, STREAM(&accepted)) == 0);
    assert(uv_read_start(STREAM(&accepted), on_alloc, on_read) == 0);
    uv_close(HANDLE(stream), NULL);
}

static void on_timer(uv_timer_t *handle) {
    assert(send(peer, "abc", 3, 0) == 3);
    assert(send(peer, "!", 1, MSG_OOB) == 1);
    assert(send(peer, "def", 3, 0) == 3);
    uv_close(HANDLE(handle), NULL);
}

int main(void) {
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    peer = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(peer, SOCKADDR(&address), sizeof address) == 0);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 5, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
