/* needs: mauve */
/* No descriptor is left when uv_listen is called, so there is no reserve: the connection callback
 * gets UV_EMFILE. libuv 1.52 spins and reports nothing. */
#include "net.h"

#include <sys/resource.h>

static uv_loop_t loop;
static uv_tcp_t server, accepted;
static int fds[128], used, failures;

static void on_connection(uv_stream_t *stream, int status) {
    if (status == 0) {
        EXPECT(uv_tcp_init(&loop, &accepted), 0);
        EXPECT(uv_accept(stream, STREAM(&accepted)), 0);
        uv_stop(&loop);
        return;
    }
    EXPECT(status, UV_EMFILE);
    EXPECT(uv_is_active(HANDLE(stream)), 1);
    /* The program closes a descriptor; the connection is still pending. */
    if (++failures == 20) close(fds[--used]);
}

int main(void) {
    struct rlimit limit = {.rlim_cur = 100, .rlim_max = 100};
    struct sockaddr_in address = loopback(0);

    EXPECT(setrlimit(RLIMIT_NOFILE, &limit), 0);
    uv_loop_init(&loop);
    int client = socket(AF_INET, SOCK_STREAM, 0), listener = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(bind(listener, SOCKADDR(&address), sizeof address), 0);
    while (used < (int)COUNT(fds) && (fds[used] = dup(0)) >= 0) used++;
    EXPECT(uv_tcp_init(&loop, &server), 0);
    EXPECT(uv_tcp_open(&server, listener), 0);
    address = loopback(port_of(&server));
    EXPECT(uv_listen(STREAM(&server), 8, on_connection), 0);
    EXPECT(connect(client, SOCKADDR(&address), sizeof address), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(failures, 20);
    while (used > 0) close(fds[--used]);
    close(client);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
