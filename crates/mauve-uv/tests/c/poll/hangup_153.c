/* needs: 1.53 */
/* The peer closes, shuts down its writing side, or closes with unread data; for sockets and pipes.
 * */
#include "test.h"

#include <sys/socket.h>

static uv_loop_t loop;

static void on_poll(uv_poll_t *poll, int status, int events) {
    print("    %s %d, active %d", code(status), events, uv_is_active((uv_handle_t *)poll));
}

static void socket_closed(int *ends) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    close(ends[1]);
}

static void socket_shut_down(int *ends) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    shutdown(ends[1], SHUT_WR);
}

static void socket_closed_with_data(int *ends) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(write(ends[1], "x", 1) == 1);
    close(ends[1]);
}

static void no_writer(int *ends) {
    assert(pipe(ends) == 0);
    close(ends[1]);
}

static void no_writer_with_data(int *ends) {
    assert(pipe(ends) == 0);
    assert(write(ends[1], "x", 1) == 1);
    close(ends[1]);
}

static void no_reader(int *ends) {
    assert(pipe(ends) == 0);
    close(ends[0]);
    ends[0] = ends[1];
}

static void check_masks(const char *title, void (*open_pair)(int *)) {
    static const int masks[] = {UV_READABLE, UV_WRITABLE, UV_DISCONNECT,
                                UV_READABLE | UV_WRITABLE, UV_READABLE | UV_DISCONNECT};
    print("%s", title);
    for (size_t i = 0; i < COUNT(masks); i++) {
        uv_poll_t poll;
        int ends[2];
        open_pair(ends);
        print("  mask %d: %s", masks[i], code(uv_poll_init(&loop, &poll, ends[0])));
        uv_poll_start(&poll, masks[i], on_poll);
        for (int n = 0; n < 2; n++) uv_run(&loop, UV_RUN_NOWAIT);
        uv_close((uv_handle_t *)&poll, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        close(ends[0]);
    }
}

int main(void) {
    uv_loop_init(&loop);
    check_masks("socket closed", socket_closed);
    check_masks("socket shut down", socket_shut_down);
    check_masks("socket closed with data", socket_closed_with_data);
    check_masks("pipe without writer", no_writer);
    check_masks("pipe without writer, with data", no_writer_with_data);
    check_masks("pipe without reader", no_reader);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
