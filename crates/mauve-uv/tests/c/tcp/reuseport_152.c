/* needs: 1.52 */
/* UV_TCP_REUSEPORT: sockets share a port if all of them set it. */
#include "net.h"

int main(void) {
    uv_loop_t loop;
    uv_tcp_t first, second, third;
    uv_loop_init(&loop);
    struct sockaddr_in address = loopback(0);
    uv_tcp_init(&loop, &first);
    EXPECT(uv_tcp_bind(&first, SOCKADDR(&address), UV_TCP_REUSEPORT), 0);
    EXPECT(uv_listen(STREAM(&first), 1, NULL), 0);
    address = loopback(port_of(&first));
    uv_tcp_init(&loop, &second);
    EXPECT(uv_tcp_bind(&second, SOCKADDR(&address), UV_TCP_REUSEPORT), 0);
    EXPECT(uv_listen(STREAM(&second), 1, NULL), 0);
    uv_tcp_init(&loop, &third);
    EXPECT(uv_tcp_bind(&third, SOCKADDR(&address), 0), 0);
    EXPECT(uv_listen(STREAM(&third), 1, NULL), UV_EADDRINUSE);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
