/* The peer does not read: sends are queued, sent in order, and cancelled by uv_close. */
#include "test.h"

#include <fcntl.h>
#include <sys/socket.h>

#define TIMES 600

static uv_loop_t loop;
static uv_udp_t udp;
static uv_udp_send_t requests[TIMES];
static int sent, cancelled, next, out_of_order, peer;

static void on_sent(uv_udp_send_t *request, int status) {
    out_of_order += request - requests != next++;
    sent += status == 0;
    cancelled += status == UV_ECANCELED;
}

static void on_closed(uv_handle_t *handle) {
    (void)handle;
    print("closed: sent some %d, cancelled some %d, all %d, out of order %d", sent > 0,
          cancelled > 0, sent + cancelled == TIMES, out_of_order);
    print("size %zu count %zu", udp.send_queue_size, udp.send_queue_count);
}

static int drain(void) {
    char word[16];
    int count = 0, expected = 0;
    static int seen;
    while (recv(peer, word, sizeof word, 0) == 4) {
        memcpy(&expected, word, 4);
        assert(expected == seen);
        seen++, count++;
    }
    return count;
}

int main(void) {
    static int numbers[TIMES];
    int pair[2], size = 64 << 10;

    /* The send buffer is smaller than all datagrams together, so some are queued. */
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    assert(setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0);
    peer = pair[1];
    fcntl(peer, F_SETFL, O_NONBLOCK);
    uv_loop_init(&loop);
    uv_udp_init(&loop, &udp);
    print("open %s", code(uv_udp_open(&udp, pair[0])));
    for (int i = 0; i < TIMES; i++) {
        numbers[i] = i;
        uv_buf_t buffer = uv_buf_init((char *)&numbers[i], 4);
        assert(uv_udp_send(&requests[i], &udp, &buffer, 1, NULL, on_sent) == 0);
    }
    print("size %zu count %zu active %d", udp.send_queue_size, udp.send_queue_count,
          uv_is_active((uv_handle_t *)&udp));
    print("try %s", code(uv_udp_try_send(&udp, &(uv_buf_t){.base = "x", .len = 1}, 1, NULL)));
    print("run %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("completed %d, queued %d", sent > 0, udp.send_queue_count > 0);
    assert(udp.send_queue_size == udp.send_queue_count * 4);
    assert((size_t)(TIMES - sent) == udp.send_queue_count);
    int first = drain();
    print("all completed sends arrived %d", first == sent);
    print("run %d", uv_run(&loop, UV_RUN_NOWAIT));
    int second = drain();
    print("more arrived %d, completed %d", second > 0, sent == first + second);
    uv_close((uv_handle_t *)&udp, on_closed);
    print("cancelled inside uv_close %d", cancelled);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    close(peer);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
