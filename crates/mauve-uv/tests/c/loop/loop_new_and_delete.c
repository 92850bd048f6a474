/* uv_loop_new and uv_loop_delete, and uv_loop_size for callers that allocate the loop. */
#include "test.h"

static void on_idle(uv_idle_t *idle) {
    print("idle");
    uv_close((uv_handle_t *)idle, NULL);
}

int main(void) {
    uv_loop_t *loop = uv_loop_new();
    uv_idle_t idle;

    print("made: %d", loop != NULL);
    uv_idle_init(loop, &idle);
    uv_idle_start(&idle, on_idle);
    print("run %d", uv_run(loop, UV_RUN_DEFAULT));
    uv_loop_delete(loop);

    print("size: %zu, %d", uv_loop_size(), uv_loop_size() == sizeof(uv_loop_t));
    loop = malloc(uv_loop_size());
    memset(loop, 0xa5, uv_loop_size());
    uv_loop_set_data(loop, &idle);
    print("init: %s", code(uv_loop_init(loop)));
    print("data: %d %d", uv_loop_get_data(loop) == &idle, loop->data == &idle);
    print("close: %s", code(uv_loop_close(loop)));
    free(loop);
    return 0;
}
