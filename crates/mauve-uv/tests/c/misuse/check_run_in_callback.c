/* aborts: is running already */
/* env: MAUVE_CHECK=1 */
#include "test.h"

static void on_idle(uv_idle_t *idle) { uv_run(idle->loop, UV_RUN_NOWAIT); }

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_idle_t idle;
    uv_idle_init(&loop, &idle);
    uv_idle_start(&idle, on_idle);
    uv_run(&loop, UV_RUN_DEFAULT);
    return 0;
}
