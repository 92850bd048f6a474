/* env: MAUVE_SELECTOR=epoll */
/* A loop whose backend descriptor is in an epoll set of the program: closing an accepted
 * connection with a duplicated descriptor does not break its notifications. */
#include "net.h"

#include <poll.h>
#include <sys/epoll.h>

static uv_loop_t *loop;
static uv_tcp_t server, accepted[3];
static int peers[3], connections;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("  connection %d reads %d", (int)((uv_tcp_t *)stream - accepted), (int)count);
}

static void on_connection(uv_stream_t *stream, int status) {
    uv_tcp_t *tcp = &accepted[connections++];
    assert(status == 0 && uv_tcp_init(loop, tcp) == 0 && uv_accept(stream, STREAM(tcp)) == 0);
    assert(uv_read_start(STREAM(tcp), on_alloc, on_read) == 0);
}

static int duplicate_fd(uv_tcp_t *tcp) {
    uv_os_fd_t fd;
    assert(uv_fileno(HANDLE(tcp), &fd) == 0);
    return dup(fd);
}

int main(void) {
    loop = uv_default_loop();
    struct sockaddr_in address = listen_on_loopback(loop, &server, on_connection);
    for (int i = 0; i < 3; i++) {
        peers[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(peers[i], SOCKADDR(&address), sizeof address) == 0);
    }
    while (connections < 3) uv_run(loop, UV_RUN_ONCE);
    /* One is closed before uv_backend_fd is called, one after. */
    int duplicates[2] = {duplicate_fd(&accepted[0]), duplicate_fd(&accepted[1])};
    uv_close(HANDLE(&accepted[0]), NULL);
    uv_run(loop, UV_RUN_NOWAIT);

    int outer = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    assert(epoll_ctl(outer, EPOLL_CTL_ADD, uv_backend_fd(loop), &event) == 0);
    uv_run(loop, UV_RUN_NOWAIT);
    uv_close(HANDLE(&accepted[1]), NULL);
    uv_run(loop, UV_RUN_NOWAIT);
    assert(write(peers[0], "hello", 5) == 5 && write(peers[1], "hello", 5) == 5);
    print("events of closed connections %d", epoll_wait(outer, &event, 1, 50));
    uv_run(loop, UV_RUN_NOWAIT);
    assert(write(peers[2], "hello", 5) == 5);
    print("events of an open connection %d", epoll_wait(outer, &event, 1, 1000));
    uv_run(loop, UV_RUN_NOWAIT);
    print("further events %d", epoll_wait(outer, &event, 1, 0));
    close(duplicates[0]);
    close(duplicates[1]);
    print("close %s", code(close_loop(loop)));
    return 0;
}
