/* uv_walk: creation order, inactive and closing handles too, and what its callback may do. */
#include "say.h"

static uv_loop_t loop;
static uv_timer_t late;

static void name(uv_handle_t *handle, void *argument) {
    say("  %s %s%s%s", (char *)argument, uv_handle_type_name(handle->type),
        uv_is_active(handle) ? " active" : "", uv_is_closing(handle) ? " closing" : "");
}

static void on_close(uv_handle_t *handle) { say("  closed %s", uv_handle_type_name(handle->type)); }

static void close_it(uv_handle_t *handle, void *argument) {
    name(handle, argument);
    if (!uv_is_closing(handle)) uv_close(handle, on_close);
}

static void open_another(uv_handle_t *handle, void *argument) {
    name(handle, argument);
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
    uv_walk(&loop, name, "empty");
    uv_check_init(&loop, &check);
    uv_timer_init(&loop, &timer);
    uv_poll_init(&loop, &poll, ends[0]);
    uv_async_init(&loop, &async, NULL);
    uv_idle_init(&loop, &idle);
    uv_prepare_init(&loop, &prepare);
    uv_idle_start(&idle, on_idle);
    uv_unref((uv_handle_t *)&async);
    uv_walk(&loop, name, "all");

    /* Stopping and starting does not change the order; closing and opening again does. */
    uv_idle_stop(&idle);
    uv_idle_start(&idle, on_idle);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_walk(&loop, name, "timer closing");
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_walk(&loop, name, "timer gone");
    uv_timer_init(&loop, &timer);
    uv_walk(&loop, name, "timer anew");

    uv_walk(&loop, open_another, "opening another");
    /* Where it stands among them differs: libuv's walk moves the handles as it goes. */
    uv_close((uv_handle_t *)&late, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_walk(&loop, close_it, "closing all");
    uv_walk(&loop, name, "all closing");
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_walk(&loop, name, "all gone");
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
