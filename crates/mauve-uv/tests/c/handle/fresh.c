/* Fresh handles in memory full of garbage: their state, their fields, and `data` left alone. */
#include "say.h"

static uv_loop_t loop;

static void show(const char *title, uv_handle_t *handle, size_t size) {
    say("%s: type %s, loop %d, data %d, active %d, closing %d, referenced %d", title,
        uv_handle_type_name(uv_handle_get_type(handle)), uv_handle_get_loop(handle) == &loop,
        (uintptr_t)uv_handle_get_data(handle) == 0xa5a5a5a5a5a5a5a5, uv_is_active(handle),
        uv_is_closing(handle), uv_has_ref(handle));
    say("  size %d", uv_handle_size(handle->type) == size);
    uv_handle_set_data(handle, &loop);
    say("  data set %d %d", handle->data == &loop, uv_handle_get_data(handle) == &loop);
}

static void on_close(uv_handle_t *handle) {
    say("closed %s: data %d, active %d, closing %d, referenced %d",
        uv_handle_type_name(handle->type), handle->data == &loop, uv_is_active(handle),
        uv_is_closing(handle), uv_has_ref(handle));
    memset(handle, 0xa5, uv_handle_size(handle->type));
    free(handle);
}

static void close_all(uv_handle_t *handle, void *argument) {
    (void)argument;
    uv_close(handle, on_close);
    say("closing %s: active %d, closing %d, referenced %d", uv_handle_type_name(handle->type),
        uv_is_active(handle), uv_is_closing(handle), uv_has_ref(handle));
}

#define FRESH(name, initialise)                                                                  \
    do {                                                                                         \
        name *handle = malloc(sizeof *handle);                                                   \
        memset(handle, 0xa5, sizeof *handle);                                                    \
        say("init %s", code(initialise));                                                        \
        show(#name, (uv_handle_t *)handle, sizeof *handle);                                      \
    } while (0)

int main(void) {
    int ends[2];

    assert(pipe(ends) == 0);
    memset(&loop, 0xa5, sizeof loop);
    say("loop %s", code(uv_loop_init(&loop)));
    FRESH(uv_timer_t, uv_timer_init(&loop, handle));
    FRESH(uv_idle_t, uv_idle_init(&loop, handle));
    FRESH(uv_prepare_t, uv_prepare_init(&loop, handle));
    FRESH(uv_check_t, uv_check_init(&loop, handle));
    FRESH(uv_async_t, uv_async_init(&loop, handle, NULL));
    FRESH(uv_poll_t, uv_poll_init(&loop, handle, ends[0]));
    uv_walk(&loop, close_all, NULL);
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close %s", code(uv_loop_close(&loop)));
    say("data of the loop: %d", (uintptr_t)loop.data == 0xa5a5a5a5a5a5a5a5);
    return 0;
}
