/* aborts: uv_close: the idle handle at 0x ... , created by uv_idle_init, is closing already /// it was created here: /// uv_idle_init /// init_idle /// it was closed here: /// uv_close /// close_idle /// it was called here: /// uv_close /// close_idle_again */
/* env: MAUVE_CHECK=1 MAUVE_BACKTRACE=1 */
#include "test.h"

__attribute__((noinline)) void init_idle(uv_loop_t *loop, uv_idle_t *idle) {
    uv_idle_init(loop, idle);
    __asm__ volatile("");
}

__attribute__((noinline)) void close_idle(uv_idle_t *idle) {
    uv_close((uv_handle_t *)idle, NULL);
    __asm__ volatile("");
}

__attribute__((noinline)) void close_idle_again(uv_idle_t *idle) {
    uv_close((uv_handle_t *)idle, NULL);
    __asm__ volatile("");
}

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_idle_t idle;
    init_idle(&loop, &idle);
    close_idle(&idle);
    close_idle_again(&idle);
    return 0;
}
