/* needs: mauve */
/* accept fails because the listener cannot accept: the connection callback gets the error. libuv 1.53 spins, and
 * reports nothing. */
#include "net.h"

#include <dlfcn.h>

static uv_loop_t loop;
static uv_tcp_t server;
static int error, reported;

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
    (void)fd, (void)address, (void)length, (void)flags;
    errno = error;
    return -1;
}

static void on_connection(uv_stream_t *stream, int status) {
    EXPECT(status, -error);
    reported++;
    uv_close(HANDLE(stream), NULL);
}

int main(void) {
    static const int errors[] = {ENOMEM, ENOBUFS, EPERM};
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(errors); i++) {
        struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
        int client = socket(AF_INET, SOCK_STREAM, 0);
        EXPECT(connect(client, SOCKADDR(&address), sizeof address), 0);
        error = errors[i];
        reported = 0;
        uv_run(&loop, UV_RUN_DEFAULT);
        EXPECT(reported, 1);
        close(client);
    }
    EXPECT(close_loop(&loop), 0);
    return 0;
}
