/* uv_walk visits handles in creation order, also inactive and closing ones. Its callback may open
 * and close handles. */
#include "test.h"

static uv_loop_t loop;
static uv_timer_t late;

static void print_handle(uv_handle_t *handle, void *argument) {
    print("  %s %s%s%s", (char *)argument, uv_handle_type_name(handle->type),
          uv_is_active(handle) ? " active" : "", uv_is_closing(handle) ? " closing" : "");
}

static void on_close(uv_handle_t *handle) { print("  closed %s",
                                                  uv_handle_type_name(handle->type)); }

static void print_and_close(uv_handle_t *handle, void *argument) {
    print_handle(handle, argument);
    if (!uv_is_closing(handle)) uv_close(handle, on_close);
}

static void open_another(uv_handle_t *handle, void *argument) {
    print_handle(handle, argument);
    if (late.loop == NULL) uv_timer_init(&loop, &late);
}

static void on_idle(uv_idle_t *idle) { (void)idle; }

int main(void) {
    uv_timer_t timer;
    uv_idle_t idle;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_async_t async;
    uv_poll_t poll;
    int ends[2];

    assert(pipe(ends) == 0);
    uv_loop_init(&loop);
    uv_walk(&loop, print_handle, "empty");
    uv_check_init(&loop, &check);
    uv_timer_init(&loop, &timer);
    uv_poll_init(&loop, &poll, ends[0]);
    uv_async_init(&loop, &async, NULL);
    uv_idle_init(&loop, &idle);
    uv_prepare_init(&loop, &prepare);
    uv_idle_start(&idle, on_idle);
    uv_unref((uv_handle_t *)&async);
    uv_walk(&loop, print_handle, "all");

    /* Stopping and starting does not change the order; closing and opening again does. */
    uv_idle_stop(&idle);
    uv_idle_start(&idle, on_idle);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_walk(&loop, print_handle, "timer closing");
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_walk(&loop, print_handle, "timer closed");
    uv_timer_init(&loop, &timer);
    uv_walk(&loop, print_handle, "timer opened again");

    uv_walk(&loop, open_another, "opening another");
    /* Closed here, because its position differs: uv_walk of libuv reorders the handles. */
    uv_close((uv_handle_t *)&late, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_walk(&loop, print_and_close, "closing all");
    uv_walk(&loop, print_handle, "all closing");
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_walk(&loop, print_handle, "all closed");
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
