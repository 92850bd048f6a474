/* stderr: at exit: the idle handle at 0x ... , created by uv_idle_init, is still open */
/* env: MAUVE_CHECK=2 */
#include "test.h"

int main(void) {
    static uv_loop_t loop;
    static uv_idle_t idle;
    uv_loop_init(&loop);
    uv_idle_init(&loop, &idle);
    return 0;
}
