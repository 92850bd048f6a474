/* A connection that is not accepted holds the others back, until it is. */
#include "net.h"

enum { CLIENTS = 4 };

static uv_loop_t loop;
static uv_tcp_t server, accepted[CLIENTS];
static int clients[CLIENTS], connections;

static void on_connection(uv_stream_t *stream, int status) {
    say("  connection %d %s", connections++, code(status));
    state("  server", stream);
}

static void turn(void) {
    say("  turn");
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    uv_tcp_t none;
    uv_loop_init(&loop);
    struct sockaddr_in address = serve(&loop, &server, on_connection);
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(clients[i], SOCKADDR(&address), sizeof address) == 0);
        uv_tcp_init(&loop, &accepted[i]);
    }
    turn();
    turn();
    for (int i = 0; i < CLIENTS; i++) {
        say("accept %s", code(uv_accept(STREAM(&server), STREAM(&accepted[i]))));
        say("  twice %s", code(uv_accept(STREAM(&server), STREAM(&accepted[0]))));
        turn();
    }
    uv_tcp_init(&loop, &none);
    say("accept %s", code(uv_accept(STREAM(&server), STREAM(&none))));
    say("accept from a stranger %s", code(uv_accept(STREAM(&none), STREAM(&none))));

    say("not alive without reference");
    uv_unref(HANDLE(&server));
    say("  run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("closed with a connection waiting");
    uv_ref(HANDLE(&server));
    int late = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(late, SOCKADDR(&address), sizeof address) == 0);
    turn();
    uv_close(HANDLE(&server), NULL);
    turn();
    char byte;
    say("  late reads %d", recv(late, &byte, 1, 0) <= 0);
    say("finish %s", code(finish(&loop)));
    return 0;
}
