/* The phases of one iteration, seen through hooks, a poll, an async, work and a close. */
#include "say.h"

static uv_loop_t loop;
static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_poll_t poller;
static uv_timer_t closed;
static int pipe_ends[2];
static int round_number;

static void on_close(uv_handle_t *handle) {
    say("  close %s", uv_handle_type_name(handle->type));
}

static void on_idle(uv_idle_t *handle) {
    (void)handle;
    say("iteration %d", ++round_number);
    say("  idle");
    if (round_number == 2) uv_close((uv_handle_t *)&closed, on_close);
}

static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    say("  prepare");
}

static void on_poll(uv_poll_t *handle, int status, int events) {
    (void)handle;
    say("  poll %s %d", code(status), events);
}

static void on_check(uv_check_t *handle) {
    (void)handle;
    say("  check");
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
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
