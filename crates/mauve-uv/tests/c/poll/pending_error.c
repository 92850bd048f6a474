/* A socket with a pending error: the callback gets UV_EBADF once, and SO_ERROR keeps the error. */
#include "test.h"

#include <arpa/inet.h>
#include <sys/socket.h>

static void on_poll(uv_poll_t *poll, int status, int events) {
    print("  %s %d, active %d", code(status), events, uv_is_active((uv_handle_t *)poll));
}

int main(void) {
    static const int masks[] = {UV_READABLE, UV_WRITABLE, UV_READABLE | UV_WRITABLE};
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    uv_loop_t loop;
    int bound;

    /* A port that is bound but does not listen refuses connections. */
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bound = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(bound, (struct sockaddr *)&address, size) == 0);
    assert(getsockname(bound, (struct sockaddr *)&address, &size) == 0);
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(masks); i++) {
        int error = 0, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        uv_poll_t poll;
        (void)!connect(fd, (struct sockaddr *)&address, size);
        print("init %s", code(uv_poll_init(&loop, &poll, fd)));
        print("start %s", code(uv_poll_start(&poll, masks[i], on_poll)));
        for (int n = 0; n < 3; n++) uv_run(&loop, UV_RUN_ONCE);
        size = sizeof error;
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
        print("pending %s", code(uv_translate_sys_error(error)));
        print("stop %s", code(uv_poll_stop(&poll)));
        uv_close((uv_handle_t *)&poll, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        close(fd);
        size = sizeof address;
    }
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
