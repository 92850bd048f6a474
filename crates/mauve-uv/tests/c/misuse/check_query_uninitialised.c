/* aborts: uv_is_active: the handle at 0x ... was never initialised */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_idle_t idle;
    memset(&idle, 0, sizeof idle);
    /* Without MAUVE_CHECK this returns 0. */
    uv_is_active((uv_handle_t *)&idle);
    return 0;
}
