/* needs: 1.53 */
/* Programs use static sockets that they never initialised. The descriptor of such a handle is zero. */
#include "../test.h"

#define HANDLE(type)    \
    static type handle; \
    memset(&handle, 0, sizeof handle);

static void udp(void) {
    HANDLE(uv_udp_t)
    uv_udp_send_t request;
    struct sockaddr_in to;
    struct sockaddr *address = (struct sockaddr *)&to, **addresses = &address;
    uv_buf_t buffer = uv_buf_init("x", 1), *buffers = &buffer;
    unsigned count = 1;

    uv_ip4_addr("127.0.0.1", 9, &to);
    print("udp connect %s %s", code(uv_udp_connect(&handle, address)), code(uv_udp_connect(&handle, NULL)));
    print("udp bind %s", code(uv_udp_bind(&handle, address, 0)));
    print("udp try_send %s %s", code(uv_udp_try_send(&handle, &buffer, 1, address)),
          code(uv_udp_try_send(&handle, &buffer, 1, NULL)));
    print("udp try_send2 %s", code(uv_udp_try_send2(&handle, 1, &buffers, &count, addresses, 0)));
    print("udp send %s %s", code(uv_udp_send(&request, &handle, &buffer, 1, address, NULL)),
          code(uv_udp_send(&request, &handle, &buffer, 1, NULL, NULL)));
    print("udp recv_start %s", code(uv_udp_recv_start(&handle, (uv_alloc_cb)udp, (uv_udp_recv_cb)udp)));
    print("udp open %s %s", code(uv_udp_open(&handle, 1)), code(uv_udp_open(&handle, -1)));
    print("udp peer %s", code(uv_udp_getpeername(&handle, address, (int *)&count)));
}

static void streams(void) {
    HANDLE(uv_tcp_t)
    uv_stream_t *stream = (uv_stream_t *)&handle;
    uv_write_t write;
    uv_shutdown_t shutdown;
    uv_connect_t connect;
    struct sockaddr_in to;
    uv_buf_t buffer = uv_buf_init("x", 1);

    uv_ip4_addr("127.0.0.1", 9, &to);
    print("try_write %s", code(uv_try_write(stream, &buffer, 1)));
    print("try_write2 %s", code(uv_try_write2(stream, &buffer, 1, stream)));
    print("write %s", code(uv_write(&write, stream, &buffer, 1, NULL)));
    print("write2 %s", code(uv_write2(&write, stream, &buffer, 1, stream, NULL)));
    print("shutdown %s", code(uv_shutdown(&shutdown, stream, NULL)));
    print("connect %s", code(uv_tcp_connect(&connect, &handle, (struct sockaddr *)&to, NULL)));
    print("readable %d, writable %d", uv_is_readable(stream), uv_is_writable(stream));
}

int main(void) {
    udp();
    streams();
    return 0;
}
