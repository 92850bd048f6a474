/* The old way to make loops, and the size for those who allocate. */
#include "say.h"

static void on_idle(uv_idle_t *idle) {
    say("idle");
    uv_close((uv_handle_t *)idle, NULL);
}

int main(void) {
    uv_loop_t *loop = uv_loop_new();
    uv_idle_t idle;

    say("made: %d", loop != NULL);
    uv_idle_init(loop, &idle);
    uv_idle_start(&idle, on_idle);
    say("run %d", uv_run(loop, UV_RUN_DEFAULT));
    uv_loop_delete(loop);

    say("size: %zu, %d", uv_loop_size(), uv_loop_size() == sizeof(uv_loop_t));
    loop = malloc(uv_loop_size());
    memset(loop, 0xa5, uv_loop_size());
    uv_loop_set_data(loop, &idle);
    say("init: %s", code(uv_loop_init(loop)));
    say("data: %d %d", uv_loop_get_data(loop) == &idle, loop->data == &idle);
    say("close: %s", code(uv_loop_close(loop)));
    free(loop);
    return 0;
}
