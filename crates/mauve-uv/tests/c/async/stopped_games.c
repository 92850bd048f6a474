/* Two loops on two threads throw a ball to and fro, until each stops itself with a throw of the other
 * still under way. What is under way keeps no loop from being closed. */
#include "say.h"

static uv_loop_t loops[2];
static uv_async_t balls[2], others[64];
static int left;

static void on_other(uv_async_t *handle) {
    (void)handle;
}

static void on_ball(uv_async_t *handle) {
    int other = handle == &balls[0];
    if (--left <= 0) uv_stop(handle->loop);
    uv_async_send(&balls[other]);
}

static void player(void *loop) {
    uv_run(loop, UV_RUN_DEFAULT);
}

int main(void) {
    int busy = 0;
    for (int game = 0; game < 1000; game++) {
        uv_thread_t thread;
        for (int i = 0; i < 2; i++) assert(uv_loop_init(&loops[i]) == 0);
        for (int i = 0; i < game % 64; i++) uv_async_init(&loops[0], &others[i], on_other);
        for (int i = 0; i < 2; i++) uv_async_init(&loops[i], &balls[i], on_ball);
        left = 1 + game % 13;
        uv_async_send(&balls[0]);
        assert(uv_thread_create(&thread, player, &loops[1]) == 0);
        uv_run(&loops[0], UV_RUN_DEFAULT);
        uv_thread_join(&thread);
        for (int i = 0; i < 2; i++) busy += finish(&loops[i]) != 0;
    }
    say("busy %d", busy);
    return 0;
}
