/* The order of the phases: idle, prepare, poll, check, close. */
#include "test.h"

static uv_loop_t loop;
static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_poll_t poller;
static uv_timer_t closed;
static int pipe_ends[2];
static int round_number;

static void on_close(uv_handle_t *handle) {
    print("  close %s", uv_handle_type_name(handle->type));
}

static void on_idle(uv_idle_t *handle) {
    (void)handle;
    print("iteration %d", ++round_number);
    print("  idle");
    if (round_number == 2) uv_close((uv_handle_t *)&closed, on_close);
}

static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    print("  prepare");
}

static void on_poll(uv_poll_t *handle, int status, int events) {
    (void)handle;
    print("  poll %s %d", code(status), events);
}

static void on_check(uv_check_t *handle) {
    (void)handle;
    print("  check");
    if (round_number < 3) return;
    uv_close((uv_handle_t *)&idle, on_close);
    uv_close((uv_handle_t *)&prepare, on_close);
    uv_close((uv_handle_t *)&poller, on_close);
    uv_close((uv_handle_t *)&check, on_close);
}

int main(void) {
    uv_loop_init(&loop);
    assert(pipe(pipe_ends) == 0 && write(pipe_ends[1], "x", 1) == 1);
    uv_timer_init(&loop, &closed);
    uv_check_init(&loop, &check);
    uv_prepare_init(&loop, &prepare);
    uv_idle_init(&loop, &idle);
    uv_poll_init(&loop, &poller, pipe_ends[0]);
    uv_check_start(&check, on_check);
    uv_prepare_start(&prepare, on_prepare);
    uv_idle_start(&idle, on_idle);
    uv_poll_start(&poller, UV_READABLE, on_poll);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
