/* One callback of each type closes all handles of the loop, including its own. Each is freed in
 * its close callback and not accessed after that. */
#include "test.h"

enum { KINDS = 6 };

static uv_loop_t loop;
static int chosen, calls, closes;

static void on_close(uv_handle_t *handle) {
    size_t size = uv_handle_size(handle->type);
    closes++;
    memset(handle, 0xdd, size);
    free(handle);
}

static void close_one(uv_handle_t *handle, void *argument) {
    (void)argument;
    uv_close(handle, on_close);
}

static void close_all_if_chosen(uv_handle_t *handle) {
    if ((int)(intptr_t)handle->data != chosen) return;
    print("  %s closes all", uv_handle_type_name(handle->type));
    calls++;
    uv_walk(&loop, close_one, NULL);
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)status;
    (void)events;
    close_all_if_chosen((uv_handle_t *)poll);
}

static void on_async(uv_async_t *async) {
    close_all_if_chosen((uv_handle_t *)async);
    if (closes == 0 && !uv_is_closing((uv_handle_t *)async)) uv_async_send(async);
}

static void *new_handle(size_t size, int kind) {
    uv_handle_t *handle = malloc(size);
    memset(handle, 0xdd, size);
    handle->data = (void *)(intptr_t)kind;
    return handle;
}

int main(void) {
    for (chosen = 0; chosen < KINDS; chosen++) {
        int ends[2];
        calls = closes = 0;
        uv_loop_init(&loop);
        assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
        for (int i = 0; i < 3; i++) {
            uv_timer_t *timer = new_handle(sizeof *timer, 0);
            uv_idle_t *idle = new_handle(sizeof *idle, 1);
            uv_prepare_t *prepare = new_handle(sizeof *prepare, 2);
            uv_check_t *check = new_handle(sizeof *check, 3);
            uv_async_t *async = new_handle(sizeof *async, 4);
            uv_timer_init(&loop, timer);
            uv_timer_start(timer, (uv_timer_cb)close_all_if_chosen, 1, 1);
            uv_idle_init(&loop, idle);
            uv_idle_start(idle, (uv_idle_cb)close_all_if_chosen);
            uv_prepare_init(&loop, prepare);
            uv_prepare_start(prepare, (uv_prepare_cb)close_all_if_chosen);
            uv_check_init(&loop, check);
            uv_check_start(check, (uv_check_cb)close_all_if_chosen);
            uv_async_init(&loop, async, on_async);
            uv_async_send(async);
        }
        uv_poll_t *poll = new_handle(sizeof *poll, 5);
        uv_poll_init(&loop, poll, ends[0]);
        uv_poll_start(poll, UV_READABLE, on_poll);
        print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
        print("calls %d, closes %d", calls, closes);
        print("close %s", code(uv_loop_close(&loop)));
        close(ends[0]);
        close(ends[1]);
    }
    return 0;
}
