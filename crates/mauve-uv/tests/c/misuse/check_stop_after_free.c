/* aborts: uv_idle_stop: the idle handle at 0x ... , created by uv_idle_init, is closed, and its memory was used for something else since */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_idle_t idle;
    uv_idle_init(&loop, &idle);
    uv_close((uv_handle_t *)&idle, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    memset(&idle, 0x11, sizeof idle);
    uv_idle_stop(&idle);
    return 0;
}
