/* A handle that is notified in the callback of an older one is called in the same iteration, and the
 * next wait ends at once. One that is made in the callback is called in the next iteration. */
#include "test.h"

static uv_loop_t loop;
static uv_async_t first, second, made;
static uv_check_t check;
static int iterations;

static void on_made(uv_async_t *async) {
    print("made");
    uv_close((uv_handle_t *)async, NULL);
}

static void on_second(uv_async_t *async) {
    (void)async;
    print("second");
}

static void on_first(uv_async_t *async) {
    (void)async;
    print("first");
    uv_async_send(&second);
}

static void on_first_again(uv_async_t *async) {
    (void)async;
    print("first");
    uv_async_init(&loop, &made, on_made);
    uv_async_send(&made);
}

static void on_check(uv_check_t *handle) {
    (void)handle;
    print("iteration %d", ++iterations);
}

int main(void) {
    uv_loop_init(&loop);
    uv_async_init(&loop, &first, on_first);
    uv_async_init(&loop, &second, on_second);
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    uv_async_send(&first);
    for (int i = 0; i < 2; i++) print("run: %d", uv_run(&loop, UV_RUN_ONCE));
    print("run: %d", uv_run(&loop, UV_RUN_NOWAIT));
    uv_close((uv_handle_t *)&first, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_async_init(&loop, &first, on_first_again);
    uv_async_send(&first);
    for (int i = 0; i < 3; i++) print("run: %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("end: %s", code(close_loop(&loop)));
    return 0;
}
