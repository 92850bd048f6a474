/* aborts: uv_listen: the callback is a null pointer */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_tcp_t tcp;
    uv_tcp_init(&loop, &tcp);
    uv_listen((uv_stream_t *)&tcp, 1, NULL);
    return 0;
}
