/* aborts: uv_shutdown: the request is a null pointer */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_tcp_t tcp;
    uv_tcp_init(&loop, &tcp);
    uv_shutdown(NULL, (uv_stream_t *)&tcp, NULL);
    return 0;
}
