/* The io_watcher.fd field, which some programs read instead of calling uv_fileno. */

#include "net.h"
#include "test.h"

#include <unistd.h>

static void compare(const char *when, uv_handle_t *handle, int found) {
    uv_os_fd_t fd;
    int r = uv_fileno(handle, &fd);
    if (r != 0)
        fd = -1;
    print("%s: fileno %d, io_watcher.fd %s", when, r, found == fd ? "the same" : "another");
    if (found != fd)
        print("  %d, %d", found, fd);
}

#define COMPARE(when, handle) compare(when, (uv_handle_t *)(handle), (handle)->io_watcher.fd)

static void on_connection(uv_stream_t *server, int status) {
    static uv_tcp_t client;
    (void)status;
    uv_tcp_init(server->loop, &client);
    COMPARE("tcp before accept", &client);
    uv_accept(server, (uv_stream_t *)&client);
    COMPARE("tcp accepted", &client);
    uv_close((uv_handle_t *)&client, NULL);
    uv_close((uv_handle_t *)server, NULL);
}

static void on_connect(uv_connect_t *req, int status) {
    print("connect %d", status);
    COMPARE("tcp connected", req->handle);
    uv_close((uv_handle_t *)req->handle, NULL);
    print("closed: %d", req->handle->io_watcher.fd);
}

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    struct sockaddr_in any;
    uv_ip4_addr("127.0.0.1", 0, &any);

    uv_tcp_t server, made;
    uv_tcp_init(loop, &server);
    COMPARE("tcp", &server);
    uv_tcp_init_ex(loop, &made, AF_INET);
    COMPARE("tcp with a family", &made);
    uv_tcp_bind(&server, (struct sockaddr *)&any, 0);
    COMPARE("tcp bound", &server);
    uv_listen((uv_stream_t *)&server, 1, on_connection);
    COMPARE("tcp listening", &server);

    struct sockaddr_in name;
    int length = sizeof name;
    uv_tcp_getsockname(&server, (struct sockaddr *)&name, &length);
    static uv_connect_t req;
    uv_tcp_connect(&req, &made, (struct sockaddr *)&name, on_connect);

    uv_udp_t udp, receiver;
    uv_udp_init(loop, &udp);
    COMPARE("udp", &udp);
    uv_buf_t byte = uv_buf_init("x", 1);
    print("try_send %d", uv_udp_try_send(&udp, &byte, 1, (struct sockaddr *)&name));
    COMPARE("udp after send", &udp);
    uv_udp_init(loop, &receiver);
    uv_udp_bind(&receiver, (struct sockaddr *)&any, 0);
    COMPARE("udp bound", &receiver);
    uv_close((uv_handle_t *)&udp, NULL);
    print("closed: %d", udp.io_watcher.fd);
    uv_close((uv_handle_t *)&receiver, NULL);

    int fds[2];
    if (pipe(fds) != 0)
        return 1;
    uv_pipe_t end;
    uv_poll_t poll;
    uv_pipe_init(loop, &end, 0);
    COMPARE("pipe", &end);
    uv_pipe_open(&end, fds[0]);
    COMPARE("pipe opened", &end);
    uv_poll_init(loop, &poll, fds[1]);
    COMPARE("poll", &poll);
    uv_close((uv_handle_t *)&end, NULL);
    print("closed: %d", end.io_watcher.fd);
    uv_close((uv_handle_t *)&poll, NULL);

    print("run %d", uv_run(loop, UV_RUN_DEFAULT));
    print("close %d", uv_loop_close(loop));
    return 0;
}
