/* needs: 1.53 */
/* A connect fails if its result cannot be queried (getsockopt). */
#include "net.h"
#include "seccomp.h"

static int seccomp_works(void) {
    int type;
    socklen_t length = sizeof type;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int result = getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length);
    close(fd);
    return result != 0;
}

static void on_connect(uv_connect_t *request, int status) {
    (void)request;
    print("connect %s", code(seccomp_works() ? status : UV_ENOBUFS));
}

static void on_connection(uv_stream_t *stream, int status) {
    (void)stream, (void)status;
}

int main(void) {
    uv_loop_t loop;
    uv_tcp_t server, client;
    uv_connect_t request;
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    uv_tcp_init(&loop, &client);
    fail_syscall(SYS_getsockopt, 0, ENOBUFS);
    print("start %s", code(uv_tcp_connect(&request, &client, SOCKADDR(&address), on_connect)));
    for (int i = 0; i < 10; i++) uv_run(&loop, UV_RUN_NOWAIT);
    print_stream_state("after", &client);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
