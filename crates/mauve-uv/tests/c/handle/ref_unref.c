/* env: MAUVE_SELECTOR=epoll */
/* uv_ref and uv_unref set a flag: they are not counted, and they do not stop a handle. */
#include "test.h"

static uv_loop_t loop;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    print("  timer");
}
static void on_idle(uv_idle_t *idle) { (void)idle; print("  idle"); }
static void on_prepare(uv_prepare_t *prepare) { (void)prepare; print("  prepare"); }
static void on_check(uv_check_t *check) { (void)check; print("  check"); }
static void on_async(uv_async_t *async) { (void)async; print("  async"); }
static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)poll;
    print("  poll %d %d", status, events);
}

static void print_handle(uv_handle_t *handle, const char *when) {
    print("%s %s: referenced %d, active %d, alive %d", uv_handle_type_name(handle->type), when,
          uv_has_ref(handle), uv_is_active(handle), uv_loop_alive(&loop));
}

static void check_handle(uv_handle_t *handle) {
    print_handle(handle, "initialised");
    uv_ref(handle);
    print_handle(handle, "referenced again");
    uv_unref(handle);
    uv_unref(handle);
    print_handle(handle, "unreferenced twice");
    print("  run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_ref(handle);
    print_handle(handle, "referenced once");
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
    check_handle((uv_handle_t *)&timer);
    uv_idle_init(&loop, &idle);
    uv_idle_start(&idle, on_idle);
    check_handle((uv_handle_t *)&idle);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    check_handle((uv_handle_t *)&prepare);
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    check_handle((uv_handle_t *)&check);
    uv_async_init(&loop, &async, on_async);
    uv_async_send(&async);
    check_handle((uv_handle_t *)&async);
    uv_poll_init(&loop, &poll, ends[0]);
    uv_poll_start(&poll, UV_READABLE, on_poll);
    check_handle((uv_handle_t *)&poll);

    /* While another handle keeps the loop alive, unreferenced handles are called. */
    uv_timer_stop(&timer);
    uv_ref((uv_handle_t *)&idle);
    print("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    uv_idle_stop(&idle);

    /* Stopping and starting keep the flag. */
    uv_unref((uv_handle_t *)&timer);
    uv_timer_start(&timer, on_timer, 1000, 0);
    print_handle((uv_handle_t *)&timer, "started when unreferenced");
    uv_timer_stop(&timer);
    uv_ref((uv_handle_t *)&timer);
    print_handle((uv_handle_t *)&timer, "stopped");
    print("close %s", code(close_loop(&loop)));
    return 0;
}
