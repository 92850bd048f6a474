/* aborts: uv_async_send: the async handle at 0x ... , created by uv_async_init, is closed */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_async_t async;
    uv_async_init(&loop, &async, NULL);
    uv_close((uv_handle_t *)&async, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_async_send(&async);
    return 0;
}
