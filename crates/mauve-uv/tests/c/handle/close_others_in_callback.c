/* A callback closes other handles of its kind that would run later in the iteration. */
#include "test.h"

#define EACH 3

static uv_loop_t loop;
static uv_idle_t idle[EACH];
static uv_prepare_t prepare[EACH];
static uv_check_t check[EACH];
static uv_async_t async[EACH];
static uv_poll_t polls[EACH];
static int closed;

static void on_close(uv_handle_t *handle) {
    closed++;
    memset(handle, 0xee, uv_handle_size(handle->type));
}

static void close_one(uv_handle_t *handle) {
    if (!uv_is_closing(handle)) uv_close(handle, on_close);
}

/* Closes all handles of a kind, so only the first callback runs. */
static void on_idle(uv_idle_t *handle) {
    (void)handle;
    print("idle");
    for (int i = 0; i < EACH; i++) close_one((uv_handle_t *)&idle[i]);
}
static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    print("prepare");
    for (int i = 0; i < EACH; i++) close_one((uv_handle_t *)&prepare[i]);
}
static void on_async(uv_async_t *handle) {
    (void)handle;
    print("async");
    for (int i = 0; i < EACH; i++) close_one((uv_handle_t *)&async[i]);
}
static void on_poll(uv_poll_t *handle, int status, int events) {
    (void)handle;
    print("poll %d %d", status, events);
    for (int i = 0; i < EACH; i++) close_one((uv_handle_t *)&polls[i]);
}
static void on_check(uv_check_t *handle) {
    (void)handle;
    print("check");
    for (int i = 0; i < EACH; i++) close_one((uv_handle_t *)&check[i]);
}

int main(void) {
    uv_loop_init(&loop);
    for (int i = 0; i < EACH; i++) {
        int ends[2];
        assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
        uv_idle_init(&loop, &idle[i]);
        uv_idle_start(&idle[i], on_idle);
        uv_prepare_init(&loop, &prepare[i]);
        uv_prepare_start(&prepare[i], on_prepare);
        uv_check_init(&loop, &check[i]);
        uv_check_start(&check[i], on_check);
        uv_poll_init(&loop, &polls[i], ends[0]);
        uv_poll_start(&polls[i], UV_READABLE, on_poll);
    }
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    for (int i = 0; i < EACH; i++) {
        uv_async_init(&loop, &async[i], on_async);
        uv_async_send(&async[i]);
    }
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("closed %d", closed);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
