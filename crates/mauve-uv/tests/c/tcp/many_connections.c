/* Many connections at once: each is announced by itself, in order, and none twice. A callback that
 * takes none hears of no other until it does, and one that closes the listener of none at all. */
#include "net.h"

enum { MANY = 50 };

static uv_loop_t *loop;
static uv_tcp_t server, accepted[MANY];
static int peers[MANY], connections, taken, take_until, close_at;

static void on_connection(uv_stream_t *stream, int status) {
    assert(status == 0);
    connections++;
    if (connections == close_at) {
        uv_close(HANDLE(stream), NULL);
        return;
    }
    if (taken == take_until) return;
    uv_tcp_t *tcp = &accepted[taken];
    assert(uv_tcp_init(loop, tcp) == 0 && uv_accept(stream, STREAM(tcp)) == 0);
    struct sockaddr_in theirs, ours;
    int length = sizeof theirs;
    socklen_t size = sizeof ours;
    assert(uv_tcp_getpeername(tcp, (struct sockaddr *)&theirs, &length) == 0);
    assert(getsockname(peers[taken], (struct sockaddr *)&ours, &size) == 0);
    assert(theirs.sin_port == ours.sin_port);
    assert(uv_accept(stream, STREAM(tcp)) == UV_EAGAIN);
    taken++;
}

static void connect_all(struct sockaddr_in address) {
    connections = taken = 0;
    for (int i = 0; i < MANY; i++) {
        peers[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(peers[i], SOCKADDR(&address), sizeof address) == 0);
    }
}

static void hang_up(void) {
    for (int i = 0; i < taken; i++) uv_close(HANDLE(&accepted[i]), NULL);
    for (int i = 0; i < MANY; i++) close(peers[i]);
    for (int i = 0; i < 2 * MANY; i++) uv_run(loop, UV_RUN_NOWAIT);
}

int main(void) {
    loop = uv_default_loop();
    struct sockaddr_in address = serve(loop, &server, on_connection);
    for (int round = 0; round < 3; round++) {
        take_until = MANY;
        connect_all(address);
        while (connections < MANY) uv_run(loop, UV_RUN_ONCE);
        uv_run(loop, UV_RUN_NOWAIT);
        say("announced %d, taken %d", connections, taken);
        hang_up();
    }

    take_until = 20;
    connect_all(address);
    for (int i = 0; i < 2 * MANY; i++) uv_run(loop, UV_RUN_NOWAIT);
    say("left one: announced %d, taken %d", connections, taken);
    take_until = MANY;
    assert(uv_tcp_init(loop, &accepted[taken]) == 0);
    say("later %s", code(uv_accept(STREAM(&server), STREAM(&accepted[taken]))));
    taken++;
    while (connections < MANY) uv_run(loop, UV_RUN_ONCE);
    say("announced %d, taken %d", connections, taken);
    hang_up();

    close_at = 30;
    connect_all(address);
    for (int i = 0; i < 2 * MANY; i++) uv_run(loop, UV_RUN_NOWAIT);
    say("closed: announced %d, taken %d", connections, taken);
    hang_up();
    say("close %s", code(finish(loop)));
    return 0;
}
