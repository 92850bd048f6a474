/* UV_PRIORITIZED reports urgent data of a TCP connection. */
#include "test.h"

#include <arpa/inet.h>
#include <sys/socket.h>

static int calls;

static void on_poll(uv_poll_t *poll, int status, int events) {
    char byte;
    int fd;
    print("%s %d", code(status), events);
    uv_fileno((uv_handle_t *)poll, &fd);
    if (events & UV_PRIORITIZED) {
        assert(recv(fd, &byte, 1, MSG_OOB) == 1);
        print("urgent %c", byte);
    }
    if (events & UV_READABLE) {
        assert(recv(fd, &byte, 1, 0) == 1);
        print("plain %c", byte);
    }
    if (++calls == 2) uv_close((uv_handle_t *)poll, NULL);
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    uv_loop_t loop;
    uv_poll_t poll;
    int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    int server;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&address, &size) == 0);
    assert(connect(client, (struct sockaddr *)&address, size) == 0);
    server = accept(listener, NULL, NULL);
    uv_loop_init(&loop);
    uv_poll_init(&loop, &poll, server);
    uv_poll_start(&poll, UV_READABLE | UV_PRIORITIZED, on_poll);
    uv_run(&loop, UV_RUN_NOWAIT);
    assert(send(client, "!", 1, MSG_OOB) == 1);
    uv_run(&loop, UV_RUN_ONCE);
    assert(send(client, "x", 1, 0) == 1);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
