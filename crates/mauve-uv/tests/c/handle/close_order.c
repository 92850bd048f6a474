/* Close callbacks run in the close phase, never inside uv_close, last closed first. */
#include "test.h"

static uv_loop_t loop;
static uv_timer_t timers[4];
static uv_idle_t idle;
static uv_check_t check;
static uv_prepare_t prepare;

static void on_close(uv_handle_t *handle) {
    print("  closed %s %ld", uv_handle_type_name(handle->type), (long)(intptr_t)handle->data);
    if (handle == (uv_handle_t *)&timers[1]) {
        print("  closing another handle");
        uv_close((uv_handle_t *)&timers[3], on_close);
    }
}

static void on_idle(uv_idle_t *handle) {
    print("idle");
    for (int i = 0; i < 3; i++) uv_close((uv_handle_t *)&timers[i], on_close);
    print("nothing closed yet");
    uv_idle_stop(handle);
}

static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    print("prepare");
}

static void on_check(uv_check_t *handle) {
    (void)handle;
    print("check");
}

int main(void) {
    uv_loop_init(&loop);
    for (int i = 0; i < 4; i++) {
        uv_timer_init(&loop, &timers[i]);
        timers[i].data = (void *)(intptr_t)i;
    }
    uv_idle_init(&loop, &idle);
    idle.data = NULL;
    uv_idle_start(&idle, on_idle);
    uv_check_init(&loop, &check);
    check.data = NULL;
    uv_check_start(&check, on_check);
    uv_prepare_init(&loop, &prepare);
    prepare.data = NULL;
    uv_prepare_start(&prepare, on_prepare);
    uv_unref((uv_handle_t *)&check);
    uv_unref((uv_handle_t *)&prepare);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));

    uv_close((uv_handle_t *)&check, on_close);
    uv_close((uv_handle_t *)&prepare, NULL);
    uv_close((uv_handle_t *)&idle, on_close);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
