/* needs: 1.53 */
/* A listener goes on after uv_accept has failed. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, taken, first, second;
static int calls;

static void on_connection(uv_stream_t *stream, int status) {
    print("connection %s", code(status));
    calls++;
    if (calls == 1) {
        print("accept into a used handle %s", code(uv_accept(stream, STREAM(&taken))));
        print("again %s", code(uv_accept(stream, STREAM(&first))));
        print("once more %s", code(uv_accept(stream, STREAM(&second))));
        return;
    }
    if (calls == 2) print("accept %s", code(uv_accept(stream, STREAM(&second))));
}

int main(void) {
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    uv_tcp_init(&loop, &first);
    uv_tcp_init(&loop, &second);
    uv_tcp_init_ex(&loop, &taken, AF_INET);
    int clients[3];
    for (int i = 0; i < 3; i++) {
        clients[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(clients[i], SOCKADDR(&address), sizeof address) == 0);
        for (int n = 0; n < 3; n++) uv_run(&loop, UV_RUN_NOWAIT);
    }
    for (int n = 0; n < 5; n++) uv_run(&loop, UV_RUN_NOWAIT);
    print("calls %d", calls);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
