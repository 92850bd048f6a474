/* A handle of every kind closes itself in its callback, and is freed in the close callback. */
#include "test.h"

static uv_loop_t loop;

static void on_close(uv_handle_t *handle) {
    print("  closed %s", uv_handle_type_name(handle->type));
    memset(handle, 0x5a, uv_handle_size(handle->type));
    free(handle);
}

static void close_self(uv_handle_t *handle) {
    print("%s", uv_handle_type_name(handle->type));
    uv_close(handle, on_close);
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    print("status %d, events %d", status, events);
    close_self((uv_handle_t *)poll);
}

int main(void) {
    uv_timer_t *timer = malloc(sizeof *timer), *repeating = malloc(sizeof *repeating);
    uv_idle_t *idle = malloc(sizeof *idle);
    uv_prepare_t *prepare = malloc(sizeof *prepare);
    uv_check_t *check = malloc(sizeof *check);
    uv_async_t *async = malloc(sizeof *async);
    uv_poll_t *poll = malloc(sizeof *poll);
    int ends[2];

    assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
    uv_loop_init(&loop);
    uv_timer_init(&loop, timer);
    uv_timer_start(timer, (uv_timer_cb)close_self, 0, 0);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_timer_init(&loop, repeating);
    uv_timer_start(repeating, (uv_timer_cb)close_self, 1, 1);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_idle_init(&loop, idle);
    uv_idle_start(idle, (uv_idle_cb)close_self);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_prepare_init(&loop, prepare);
    uv_prepare_start(prepare, (uv_prepare_cb)close_self);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_async_init(&loop, async, (uv_async_cb)close_self);
    uv_async_send(async);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_check_init(&loop, check);
    uv_check_start(check, (uv_check_cb)close_self);
    print("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    uv_poll_init(&loop, poll, ends[0]);
    uv_poll_start(poll, UV_READABLE, on_poll);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
