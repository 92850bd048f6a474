/* Handles that are initialised in memory full of garbage: their state and fields. The data field
 * is not written. */
#include "test.h"

static uv_loop_t loop;

static void print_handle(const char *title, uv_handle_t *handle, size_t size) {
    print("%s: type %s, loop %d, data %d, active %d, closing %d, referenced %d", title,
          uv_handle_type_name(uv_handle_get_type(handle)), uv_handle_get_loop(handle) == &loop,
          (uintptr_t)uv_handle_get_data(handle) == 0xa5a5a5a5a5a5a5a5, uv_is_active(handle),
          uv_is_closing(handle), uv_has_ref(handle));
    print("  size %d", uv_handle_size(handle->type) == size);
    uv_handle_set_data(handle, &loop);
    print("  data set %d %d", handle->data == &loop, uv_handle_get_data(handle) == &loop);
}

static void on_close(uv_handle_t *handle) {
    print("closed %s: data %d, active %d, closing %d, referenced %d",
          uv_handle_type_name(handle->type), handle->data == &loop, uv_is_active(handle),
          uv_is_closing(handle), uv_has_ref(handle));
    memset(handle, 0xa5, uv_handle_size(handle->type));
    free(handle);
}

static void close_one(uv_handle_t *handle, void *argument) {
    (void)argument;
    uv_close(handle, on_close);
    print("closing %s: active %d, closing %d, referenced %d", uv_handle_type_name(handle->type),
          uv_is_active(handle), uv_is_closing(handle), uv_has_ref(handle));
}

#define INIT(name, initialise)                                                                   \
    do {                                                                                         \
        name *handle = malloc(sizeof *handle);                                                   \
        memset(handle, 0xa5, sizeof *handle);                                                    \
        print("init %s", code(initialise));                                                      \
        print_handle(#name, (uv_handle_t *)handle, sizeof *handle);                              \
    } while (0)

int main(void) {
    int ends[2];

    assert(pipe(ends) == 0);
    memset(&loop, 0xa5, sizeof loop);
    print("loop %s", code(uv_loop_init(&loop)));
    INIT(uv_timer_t, uv_timer_init(&loop, handle));
    INIT(uv_idle_t, uv_idle_init(&loop, handle));
    INIT(uv_prepare_t, uv_prepare_init(&loop, handle));
    INIT(uv_check_t, uv_check_init(&loop, handle));
    INIT(uv_async_t, uv_async_init(&loop, handle, NULL));
    INIT(uv_poll_t, uv_poll_init(&loop, handle, ends[0]));
    uv_walk(&loop, close_one, NULL);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    print("data of the loop: %d", (uintptr_t)loop.data == 0xa5a5a5a5a5a5a5a5);
    return 0;
}
