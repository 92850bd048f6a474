/* aborts: a null pointer where libuv allows none */
/* A panic in the library aborts with a message; it never unwinds into C. */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_tcp_t tcp;
    struct sockaddr_storage name;
    struct sockaddr_in any;
    uv_loop_init(&loop);
    uv_tcp_init(&loop, &tcp);
    uv_ip4_addr("127.0.0.1", 0, &any);
    uv_tcp_bind(&tcp, (struct sockaddr *)&any, 0);
    return uv_tcp_getsockname(&tcp, (struct sockaddr *)&name, NULL);
}
