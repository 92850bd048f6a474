/* uv_ref and uv_unref set a flag: they do not count, and they cancel nothing. */
#include "say.h"

static uv_loop_t loop;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    say("  timer");
}
static void on_idle(uv_idle_t *idle) { (void)idle; say("  idle"); }
static void on_prepare(uv_prepare_t *prepare) { (void)prepare; say("  prepare"); }
static void on_check(uv_check_t *check) { (void)check; say("  check"); }
static void on_async(uv_async_t *async) { (void)async; say("  async"); }
static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)poll;
    say("  poll %d %d", status, events);
}

static void show(uv_handle_t *handle, const char *when) {
    say("%s %s: referenced %d, active %d, alive %d", uv_handle_type_name(handle->type), when,
        uv_has_ref(handle), uv_is_active(handle), uv_loop_alive(&loop));
}

static void go(uv_handle_t *handle) {
    show(handle, "fresh");
    uv_ref(handle);
    show(handle, "referenced again");
    uv_unref(handle);
    uv_unref(handle);
    show(handle, "unreferenced twice");
    say("  run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_ref(handle);
    show(handle, "referenced once");
    uv_unref(handle);
}

int main(void) {
    uv_timer_t timer;
    uv_idle_t idle;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_async_t async;
    uv_poll_t poll;
    int ends[2];

    assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 0, 0);
    go((uv_handle_t *)&timer);
    uv_idle_init(&loop, &idle);
    uv_idle_start(&idle, on_idle);
    go((uv_handle_t *)&idle);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    go((uv_handle_t *)&prepare);
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    go((uv_handle_t *)&check);
    uv_async_init(&loop, &async, on_async);
    uv_async_send(&async);
    go((uv_handle_t *)&async);
    uv_poll_init(&loop, &poll, ends[0]);
    uv_poll_start(&poll, UV_READABLE, on_poll);
    go((uv_handle_t *)&poll);

    /* With something else to keep the loop alive, they are all called. */
    uv_timer_stop(&timer);
    uv_ref((uv_handle_t *)&idle);
    say("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    uv_idle_stop(&idle);

    /* The flag survives stopping and starting. */
    uv_unref((uv_handle_t *)&timer);
    uv_timer_start(&timer, on_timer, 1000, 0);
    show((uv_handle_t *)&timer, "started when unreferenced");
    uv_timer_stop(&timer);
    uv_ref((uv_handle_t *)&timer);
    show((uv_handle_t *)&timer, "stopped");
    say("close %s", code(finish(&loop)));
    return 0;
}
