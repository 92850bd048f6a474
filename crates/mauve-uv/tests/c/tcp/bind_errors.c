/* uv_tcp_bind errors: EADDRINUSE is reported by uv_listen or uv_tcp_connect, others at once. */
#include "net.h"

static uv_loop_t loop;

static void on_connect(uv_connect_t *request, int status) {
    print("  connect %s", code(status));
    print_stream_state("  ", request->handle);
}

static void print_names(uv_tcp_t *tcp) {
    struct sockaddr_storage address;
    int length = sizeof address;
    print("  sockname %s", code(uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &length)));
    length = sizeof address;
    print("  peername %s", code(uv_tcp_getpeername(tcp, (struct sockaddr *)&address, &length)));
}

int main(void) {
    uv_tcp_t first, tcp;
    uv_connect_t connect;
    struct sockaddr_in6 six;
    struct sockaddr_in address;

    uv_loop_init(&loop);
    struct sockaddr_in used = listen_on_loopback(&loop, &first, NULL);

    print("in use, listening");
    uv_tcp_init(&loop, &tcp);
    print_names(&tcp);
    print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&used), 0)));
    print_names(&tcp);
    print("  listen %s", code(uv_listen(STREAM(&tcp), 1, NULL)));
    print("  listen %s", code(uv_listen(STREAM(&tcp), 1, NULL)));
    print_stream_state("  after", &tcp);
    print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&used), 0)));
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);

    print("in use, connecting");
    uv_tcp_init(&loop, &tcp);
    print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&used), 0)));
    print("  connect %s", code(uv_tcp_connect(&connect, &tcp, SOCKADDR(&used), on_connect)));
    print_stream_state("  connecting", &tcp);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    print_names(&tcp);
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);

    print("address of another host");
    uv_tcp_init(&loop, &tcp);
    uv_ip4_addr("192.0.2.1", 0, &address);
    print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    address = loopback(0);
    print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    print("  listen %s", code(uv_listen(STREAM(&tcp), 1, NULL)));
    print_stream_state("  listening", &tcp);
    print("  again %s", code(uv_listen(STREAM(&tcp), 2, NULL)));
    print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);

    print("flags and families");
    uv_tcp_init(&loop, &tcp);
    address = loopback(0);
    print("  only v6 %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), UV_TCP_IPV6ONLY)));
    address.sin_family = AF_UNIX;
    print("  unix %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    address.sin_family = 77;
    print("  unknown %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    address = loopback(0);
    print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    uv_ip6_addr("::1", 0, &six);
    print("  other family %s", code(uv_tcp_bind(&tcp, SOCKADDR(&six), 0)));
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);

    print("a socket of the other family");
    print("  init_ex %s", code(uv_tcp_init_ex(&loop, &tcp, AF_INET6)));
    print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    print("  only v6 %s", code(uv_tcp_bind(&tcp, SOCKADDR(&six), UV_TCP_IPV6ONLY)));
    print_names(&tcp);
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);

    print("listening without an address");
    uv_tcp_init(&loop, &tcp);
    print("  listen %s", code(uv_listen(STREAM(&tcp), 1, NULL)));
    print("  a port %d", port_of(&tcp) > 0);
    uv_close(HANDLE(&tcp), NULL);

    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
