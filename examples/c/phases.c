/*
 * One callback in each phase of the loop.
 *
 *   make -C examples/c run-phases
 *
 * Look at the order: it is not the order in which the handles were started, but that of the phases.
 * The 0 ms timer runs before the first iteration, the close callback at the end of one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

static uv_timer_t timer;
static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_async_t async;

static void must(int status, const char *what) {
    if (status >= 0) return;
    fprintf(stderr, "%s: %s\n", what, uv_strerror(status));
    exit(1);
}

static void on_close(uv_handle_t *handle) {
    printf("close:   %s\n", uv_handle_type_name(uv_handle_get_type(handle)));
}

static void on_timer(uv_timer_t *handle) {
    puts("timers:  0 ms are over");
    uv_close((uv_handle_t *)handle, on_close);
}

static void on_idle(uv_idle_t *handle) {
    puts("idle:    before the loop polls, which does not wait then");
    uv_close((uv_handle_t *)handle, on_close);
}

static void on_prepare(uv_prepare_t *handle) {
    puts("prepare: just before the loop polls");
    uv_close((uv_handle_t *)handle, on_close);
}

static void on_async(uv_async_t *handle) {
    puts("poll:    a wake-up, as from another thread");
    uv_close((uv_handle_t *)handle, on_close);
}

static void on_check(uv_check_t *handle) {
    puts("check:   just after the loop has polled");
    uv_close((uv_handle_t *)handle, on_close);
}

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    must(uv_check_init(loop, &check), "uv_check_init");
    must(uv_check_start(&check, on_check), "uv_check_start");
    must(uv_async_init(loop, &async, on_async), "uv_async_init");
    must(uv_async_send(&async), "uv_async_send");
    must(uv_prepare_init(loop, &prepare), "uv_prepare_init");
    must(uv_prepare_start(&prepare, on_prepare), "uv_prepare_start");
    must(uv_idle_init(loop, &idle), "uv_idle_init");
    must(uv_idle_start(&idle, on_idle), "uv_idle_start");
    must(uv_timer_init(loop, &timer), "uv_timer_init");
    must(uv_timer_start(&timer, on_timer, 0, 0), "uv_timer_start");
    must(uv_run(loop, UV_RUN_DEFAULT), "uv_run");
    must(uv_loop_close(loop), "uv_loop_close");
    return 0;
}
