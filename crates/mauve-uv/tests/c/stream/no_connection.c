/* Calls for handles that have no connection, or that are bound already. */
#include "net.h"

static void on_close(uv_handle_t *handle) { (void)handle; }

static void try_writes(const char *what, void *stream) {
    static uv_write_t request;
    uv_buf_t buffer = uv_buf_init((char *)"x", 1);
    print("%s: write %s", what, code(uv_write(&request, stream, &buffer, 1, NULL)));
    print("%s: try %s", what, code(uv_try_write(stream, &buffer, 1)));
}

int main(void) {
    static uv_loop_t loop;
    static uv_tcp_t tcp, bound;
    static uv_pipe_t pipe_handle;
    static uv_udp_t udp;
    struct sockaddr_in address = loopback(0);
    uv_loop_init(&loop);
    uv_tcp_init(&loop, &tcp);
    uv_tcp_init(&loop, &bound);
    uv_pipe_init(&loop, &pipe_handle, 0);
    uv_udp_init(&loop, &udp);
    print("bind %s", code(uv_tcp_bind(&bound, SOCKADDR(&address), 0)));
    print("bind again %s", code(uv_tcp_bind(&bound, SOCKADDR(&address), 0)));
    print("bind udp %s", code(uv_udp_bind(&udp, SOCKADDR(&address), 0)));
    print("bind udp again %s", code(uv_udp_bind(&udp, SOCKADDR(&address), 0)));
    try_writes("tcp", &tcp);
    try_writes("bound tcp", &bound);
    try_writes("pipe", &pipe_handle);
    print("blocking %s", code(uv_stream_set_blocking(STREAM(&bound), 1)));
    print("reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
    print("closed %d", uv_is_closing(HANDLE(&tcp)));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
