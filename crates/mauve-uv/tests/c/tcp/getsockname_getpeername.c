/* uv_tcp_getsockname and uv_tcp_getpeername: lengths, families, both sides. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, client, peer;

static void print_name(const char *whose, int result, struct sockaddr_storage *address,
                       int length) {
    char text[64] = "";
    if (result == 0) uv_ip_name((struct sockaddr *)address, text, sizeof text);
    print("%s %s %d %s", whose, code(result), length, text);
}

static void print_names(const char *whose, uv_tcp_t *tcp) {
    struct sockaddr_storage address;
    int length = sizeof address;
    print("%s", whose);
    int result = uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &length);
    print_name("  sock", result, &address, length);
    length = sizeof address;
    result = uv_tcp_getpeername(tcp, (struct sockaddr *)&address, &length);
    print_name("  peer", result, &address, length);
    memset(&address, 0x77, sizeof address);
    length = 4;
    print("  short %s %d", code(uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &length)),
          length);
    print("  beyond untouched %d", ((unsigned char *)&address)[4] == 0x77);
    length = 0;
    print("  zero %s", code(uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &length)));
    length = -1;
    print("  negative %s", code(uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &length)));
}

static void on_connection(uv_stream_t *stream, int status) {
    (void)status;
    uv_tcp_init(&loop, &peer);
    print("accept %s", code(uv_accept(stream, STREAM(&peer))));
    print_stream_state("accepted", &peer);
    print_names("peer", &peer);
    uv_close(HANDLE(&peer), NULL);
    uv_close(HANDLE(&server), NULL);
}

static void on_connect(uv_connect_t *request, int status) {
    print("connect %s", code(status));
    print_names("client", &client);
    uv_close(HANDLE(request->handle), NULL);
}

static void v4(void) {
    uv_connect_t connect;
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    print_names("server", &server);
    uv_tcp_init(&loop, &peer);
    print("accept too early %s", code(uv_accept(STREAM(&server), STREAM(&peer))));
    uv_close(HANDLE(&peer), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_tcp_init(&loop, &client);
    uv_tcp_connect(&connect, &client, SOCKADDR(&address), on_connect);
    uv_run(&loop, UV_RUN_DEFAULT);
}

static void v6(void) {
    uv_connect_t connect;
    struct sockaddr_in6 address;
    int length = sizeof address;
    uv_ip6_addr("::1", 0, &address);
    uv_tcp_init(&loop, &server);
    if (uv_tcp_bind(&server, SOCKADDR(&address), 0) != 0) {
        uv_close(HANDLE(&server), NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        return;
    }
    uv_listen(STREAM(&server), 1, on_connection);
    uv_tcp_getsockname(&server, (struct sockaddr *)&address, &length);
    uv_tcp_init(&loop, &client);
    uv_tcp_connect(&connect, &client, SOCKADDR(&address), on_connect);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    uv_loop_init(&loop);
    v4();
    v6();
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
