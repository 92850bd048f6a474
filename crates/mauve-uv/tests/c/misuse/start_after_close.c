/* aborts: uv_idle_start: the idle handle */
#include "test.h"

static void on_idle(uv_idle_t *idle) { (void)idle; }

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_idle_t idle;
    uv_idle_init(&loop, &idle);
    uv_close((uv_handle_t *)&idle, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_idle_start(&idle, on_idle);
    return 0;
}
