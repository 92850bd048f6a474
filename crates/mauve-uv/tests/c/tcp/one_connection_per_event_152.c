/* needs: 1.52 */
/* Each poll phase reports one connection per listener, however many are pending. */
#include "net.h"

enum { MANY = 20 };

static uv_loop_t *loop;
static uv_tcp_t server, accepted[MANY];
static int connections;

static void on_connection(uv_stream_t *stream, int status) {
    EXPECT(status, 0);
    uv_tcp_t *tcp = &accepted[connections++];
    EXPECT(uv_tcp_init(loop, tcp), 0);
    EXPECT(uv_accept(stream, STREAM(tcp)), 0);
}

int main(void) {
    loop = uv_default_loop();
    struct sockaddr_in address = listen_on_loopback(loop, &server, on_connection);
    for (int i = 0; i < MANY; i++) {
        int peer = socket(AF_INET, SOCK_STREAM, 0);
        EXPECT(connect(peer, SOCKADDR(&address), sizeof address), 0);
    }
    for (int i = 1; i <= MANY; i++) {
        uv_run(loop, UV_RUN_NOWAIT);
        EXPECT(connections, i);
    }
    return 0;
}
