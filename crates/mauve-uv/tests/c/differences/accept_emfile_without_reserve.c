/* needs: mauve */
/* accept fails with EMFILE, even with the reserve descriptor closed: the connection callback gets
 * the error. libuv spins and reports nothing. */
#include "net.h"

#include "seccomp.h"

static uv_loop_t loop;
static uv_tcp_t server;
static int reported;

static void on_connection(uv_stream_t *stream, int status) {
    EXPECT(status, UV_EMFILE);
    reported++;
    uv_close(HANDLE(stream), NULL);
}

int main(void) {
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    int peer = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(connect(peer, SOCKADDR(&address), sizeof address), 0);
    fail_syscall(SYS_accept4, 0, EMFILE);
    if (accept4(-1, NULL, NULL, 0) != -1 || errno != EMFILE) return 0;
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(reported, 1);
    EXPECT(close_loop(&loop), 0);
    close(peer);
    return 0;
}
