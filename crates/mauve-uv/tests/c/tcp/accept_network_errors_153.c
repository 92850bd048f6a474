/* needs: 1.53 */
/* Errors of a connection that is still queued are not reported: the listener accepts the next one. */
#include "net.h"

#include <dlfcn.h>

static uv_loop_t loop;
static uv_tcp_t server, accepted;
static int error;

/* Programs replace it. Fails once. */
int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
    int (*original)(int, struct sockaddr *, socklen_t *, int) = dlsym(RTLD_NEXT, "accept4");
    if (error) {
        errno = error;
        error = 0;
        return -1;
    }
    return original(fd, address, length, flags);
}

static void on_connection(uv_stream_t *stream, int status) {
    print("  connection %s", code(status));
    uv_tcp_init(&loop, &accepted);
    print("  accept %s", code(uv_accept(stream, STREAM(&accepted))));
    uv_close(HANDLE(&accepted), NULL);
    uv_stop(&loop);
}

int main(void) {
    static const int errors[] = {ECONNABORTED, EHOSTDOWN, EHOSTUNREACH, ENETDOWN, ENETUNREACH, ENONET,
                                 ENOPROTOOPT, EOPNOTSUPP, EPROTO, EINTR, EAGAIN};
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    for (size_t i = 0; i < COUNT(errors); i++) {
        int client = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(client, SOCKADDR(&address), sizeof address) == 0);
        print("%s", uv_err_name(-errors[i]));
        error = errors[i];
        uv_run(&loop, UV_RUN_DEFAULT);
        close(client);
    }
    print("close %s", code(close_loop(&loop)));
    return 0;
}
