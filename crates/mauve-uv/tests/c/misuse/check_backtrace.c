/* aborts: uv_close: the idle handle at 0x ... , created by uv_idle_init, is closing already /// it was created here: /// uv_idle_init /// make_it /// it was closed here: /// uv_close /// close_it /// it was called here: /// uv_close /// close_it_again */
/* env: MAUVE_CHECK=1 MAUVE_BACKTRACE=1 */
#include "say.h"

__attribute__((noinline)) void make_it(uv_loop_t *loop, uv_idle_t *idle) {
    uv_idle_init(loop, idle);
    __asm__ volatile("");
}

__attribute__((noinline)) void close_it(uv_idle_t *idle) {
    uv_close((uv_handle_t *)idle, NULL);
    __asm__ volatile("");
}

__attribute__((noinline)) void close_it_again(uv_idle_t *idle) {
    uv_close((uv_handle_t *)idle, NULL);
    __asm__ volatile("");
}

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_idle_t idle;
    make_it(&loop, &idle);
    close_it(&idle);
    close_it_again(&idle);
    return 0;
}
