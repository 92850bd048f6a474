/* While a connection is not accepted, the callback is not called for others. */
#include "net.h"

enum { CLIENTS = 4 };

static uv_loop_t loop;
static uv_tcp_t server, accepted[CLIENTS];
static int clients[CLIENTS], connections;

static void on_connection(uv_stream_t *stream, int status) {
    print("  connection %d %s", connections++, code(status));
    print_stream_state("  server", stream);
}

static void run_nowait(void) {
    print("  run");
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    uv_tcp_t not_listening;
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(clients[i], SOCKADDR(&address), sizeof address) == 0);
        uv_tcp_init(&loop, &accepted[i]);
    }
    run_nowait();
    run_nowait();
    for (int i = 0; i < CLIENTS; i++) {
        print("accept %s", code(uv_accept(STREAM(&server), STREAM(&accepted[i]))));
        print("  twice %s", code(uv_accept(STREAM(&server), STREAM(&accepted[0]))));
        run_nowait();
    }
    uv_tcp_init(&loop, &not_listening);
    print("accept %s", code(uv_accept(STREAM(&server), STREAM(&not_listening))));
    print("accept from a stream that does not listen %s",
          code(uv_accept(STREAM(&not_listening), STREAM(&not_listening))));

    print("not alive without reference");
    uv_unref(HANDLE(&server));
    print("  run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("closed with a pending connection");
    uv_ref(HANDLE(&server));
    int late = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(late, SOCKADDR(&address), sizeof address) == 0);
    run_nowait();
    uv_close(HANDLE(&server), NULL);
    run_nowait();
    char byte;
    print("  late reads %d", recv(late, &byte, 1, 0) <= 0);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
