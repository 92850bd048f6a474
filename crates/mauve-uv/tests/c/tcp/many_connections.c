/* Many connections at once: the callback runs once for each, in order. It is not called again
 * before a pending connection is accepted, nor after the listener is closed. */
#include "net.h"

enum { MANY = 50 };

static uv_loop_t *loop;
static uv_tcp_t server, handles[MANY];
static int peers[MANY], connections, accepted, accept_until, close_at;

static void on_connection(uv_stream_t *stream, int status) {
    assert(status == 0);
    connections++;
    if (connections == close_at) {
        uv_close(HANDLE(stream), NULL);
        return;
    }
    if (accepted == accept_until) return;
    uv_tcp_t *tcp = &handles[accepted];
    assert(uv_tcp_init(loop, tcp) == 0 && uv_accept(stream, STREAM(tcp)) == 0);
    struct sockaddr_in theirs, ours;
    int length = sizeof theirs;
    socklen_t size = sizeof ours;
    assert(uv_tcp_getpeername(tcp, (struct sockaddr *)&theirs, &length) == 0);
    assert(getsockname(peers[accepted], (struct sockaddr *)&ours, &size) == 0);
    assert(theirs.sin_port == ours.sin_port);
    assert(uv_accept(stream, STREAM(tcp)) == UV_EAGAIN);
    accepted++;
}

static void connect_all(struct sockaddr_in address) {
    connections = accepted = 0;
    for (int i = 0; i < MANY; i++) {
        peers[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(peers[i], SOCKADDR(&address), sizeof address) == 0);
    }
}

static void close_connections(void) {
    for (int i = 0; i < accepted; i++) uv_close(HANDLE(&handles[i]), NULL);
    for (int i = 0; i < MANY; i++) close(peers[i]);
    for (int i = 0; i < 2 * MANY; i++) uv_run(loop, UV_RUN_NOWAIT);
}

int main(void) {
    loop = uv_default_loop();
    struct sockaddr_in address = listen_on_loopback(loop, &server, on_connection);
    for (int round = 0; round < 3; round++) {
        accept_until = MANY;
        connect_all(address);
        while (connections < MANY) uv_run(loop, UV_RUN_ONCE);
        uv_run(loop, UV_RUN_NOWAIT);
        print("connections %d, accepted %d", connections, accepted);
        close_connections();
    }

    accept_until = 20;
    connect_all(address);
    for (int i = 0; i < 2 * MANY; i++) uv_run(loop, UV_RUN_NOWAIT);
    print("one pending: connections %d, accepted %d", connections, accepted);
    accept_until = MANY;
    assert(uv_tcp_init(loop, &handles[accepted]) == 0);
    print("later %s", code(uv_accept(STREAM(&server), STREAM(&handles[accepted]))));
    accepted++;
    while (connections < MANY) uv_run(loop, UV_RUN_ONCE);
    print("connections %d, accepted %d", connections, accepted);
    close_connections();

    close_at = 30;
    connect_all(address);
    for (int i = 0; i < 2 * MANY; i++) uv_run(loop, UV_RUN_NOWAIT);
    print("closed: connections %d, accepted %d", connections, accepted);
    close_connections();
    print("close %s", code(close_loop(loop)));
    return 0;
}
