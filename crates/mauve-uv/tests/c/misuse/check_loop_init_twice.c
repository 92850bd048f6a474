/* aborts: uv_loop_init: the loop at 0x ... , created by uv_loop_init, is initialised again without uv_loop_close */
/* env: MAUVE_CHECK=1 */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_loop_init(&loop);
    return 0;
}
