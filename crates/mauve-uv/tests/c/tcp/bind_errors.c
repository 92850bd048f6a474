/* Addresses that cannot be bound, and when that is told. */
#include "net.h"

static uv_loop_t loop;

static void on_connect(uv_connect_t *request, int status) {
    say("  connect %s", code(status));
    state("  ", request->handle);
}

static void ask(uv_tcp_t *tcp) {
    struct sockaddr_storage address;
    int length = sizeof address;
    say("  sockname %s", code(uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &length)));
    length = sizeof address;
    say("  peername %s", code(uv_tcp_getpeername(tcp, (struct sockaddr *)&address, &length)));
}

int main(void) {
    uv_tcp_t first, tcp;
    uv_connect_t connect;
    struct sockaddr_in6 six;
    struct sockaddr_in address;

    uv_loop_init(&loop);
    struct sockaddr_in used = serve(&loop, &first, NULL);

    say("in use, listening");
    uv_tcp_init(&loop, &tcp);
    ask(&tcp);
    say("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&used), 0)));
    ask(&tcp);
    say("  listen %s", code(uv_listen(STREAM(&tcp), 1, NULL)));
    say("  listen %s", code(uv_listen(STREAM(&tcp), 1, NULL)));
    state("  after", &tcp);
    say("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&used), 0)));
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);

    say("in use, connecting");
    uv_tcp_init(&loop, &tcp);
    say("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&used), 0)));
    say("  connect %s", code(uv_tcp_connect(&connect, &tcp, SOCKADDR(&used), on_connect)));
    state("  connecting", &tcp);
    for (int i = 0; i < 3; i++) uv_run(&loop, UV_RUN_NOWAIT);
    ask(&tcp);
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);

    say("not ours");
    uv_tcp_init(&loop, &tcp);
    uv_ip4_addr("192.0.2.1", 0, &address);
    say("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    say("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    address = loopback(0);
    say("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    say("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    say("  listen %s", code(uv_listen(STREAM(&tcp), 1, NULL)));
    state("  listening", &tcp);
    say("  again %s", code(uv_listen(STREAM(&tcp), 2, NULL)));
    say("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);

    say("flags and families");
    uv_tcp_init(&loop, &tcp);
    address = loopback(0);
    say("  only v6 %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), UV_TCP_IPV6ONLY)));
    address.sin_family = AF_UNIX;
    say("  unix %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    address.sin_family = 77;
    say("  unknown %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    address = loopback(0);
    say("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    uv_ip6_addr("::1", 0, &six);
    say("  other family %s", code(uv_tcp_bind(&tcp, SOCKADDR(&six), 0)));
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);

    say("a socket of the other family");
    say("  init_ex %s", code(uv_tcp_init_ex(&loop, &tcp, AF_INET6)));
    say("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    say("  only v6 %s", code(uv_tcp_bind(&tcp, SOCKADDR(&six), UV_TCP_IPV6ONLY)));
    ask(&tcp);
    uv_close(HANDLE(&tcp), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);

    say("listening without an address");
    uv_tcp_init(&loop, &tcp);
    say("  listen %s", code(uv_listen(STREAM(&tcp), 1, NULL)));
    say("  a port %d", port_of(&tcp) > 0);
    uv_close(HANDLE(&tcp), NULL);

    say("finish %s", code(finish(&loop)));
    return 0;
}
