/* Urgent data in the middle of other data: all of the other data comes. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, taken;
static uv_timer_t timer;
static int peer;
static size_t got;
static char text[64];

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count < 0) {
        say("%s after %s", uv_err_name(count), text);
        uv_close(HANDLE(stream), NULL);
        return;
    }
    memcpy(text + got, buffer->base, count);
    got += count;
    /* Nothing else arrives before this has. */
    if (got == 6) {
        say("read %s", text);
        assert(send(peer, "gh", 2, 0) == 2);
        close(peer);
    }
}

static void on_connection(uv_stream_t *stream, int status) {
    assert(status == 0);
    uv_tcp_init(&loop, &taken);
    assert(uv_accept(stream, STREAM(&taken)) == 0);
    assert(uv_read_start(STREAM(&taken), on_alloc, on_read) == 0);
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
    struct sockaddr_in address = serve(&loop, &server, on_connection);
    peer = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(peer, SOCKADDR(&address), sizeof address) == 0);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 5, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("close %s", code(finish(&loop)));
    return 0;
}
