/* Connections that were readable in one poll phase keep their order in the next one, whichever received data
 * first. Others follow, in the order in which they received data. */
#include "net.h"

enum { PAIRS = 4 };

static uv_loop_t loop;
static uv_tcp_t server, clients[PAIRS], accepted[PAIRS];
static int count;

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer) {
    (void)buffer;
    print("  %d: %s", (int)((uv_tcp_t *)stream - accepted), length_or_code(size));
}

static void on_connection(uv_stream_t *stream, int status) {
    assert(status == 0);
    uv_tcp_init(&loop, &accepted[count]);
    assert(uv_accept(stream, STREAM(&accepted[count])) == 0);
    uv_read_start(STREAM(&accepted[count]), on_alloc, on_read);
    count++;
}

/* Waits until the data of a connection has arrived. */
static void await(uv_tcp_t *tcp) {
    char byte;
    uv_os_fd_t fd;
    uv_fileno(HANDLE(tcp), &fd);
    while (recv(fd, &byte, 1, MSG_PEEK) != 1) usleep(100);
}

static void write_in_order(const char *order) {
    uv_buf_t byte = uv_buf_init("x", 1);
    print("written: %s", order);
    for (; *order; order++) {
        int which = *order - '0';
        assert(uv_try_write(STREAM(&clients[which]), &byte, 1) == 1);
        await(&accepted[which]);
    }
    uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    static const char *orders[] = {"012", "210", "102", "321", "03",  "30",
                                   "123", "0",   "0132", "",   "3210", "2031"};
    uv_connect_t requests[PAIRS];
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    for (int i = 0; i < PAIRS; i++) {
        uv_tcp_init(&loop, &clients[i]);
        uv_tcp_connect(&requests[i], &clients[i], SOCKADDR(&address), NULL);
        while (count <= i) uv_run(&loop, UV_RUN_NOWAIT);
    }
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    for (size_t i = 0; i < COUNT(orders); i++) write_in_order(orders[i]);
    print("close: %s", code(close_loop(&loop)));
    return 0;
}
