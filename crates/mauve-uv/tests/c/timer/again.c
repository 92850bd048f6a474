/* uv_timer_again in every state of a timer. */
#include "test.h"

static uv_loop_t loop;
static uv_timer_t timer;
static int calls;

static void on_timer(uv_timer_t *handle) {
    print("  timer, active %d", uv_is_active((uv_handle_t *)handle));
    if (++calls % 3 == 0) uv_timer_stop(handle);
}

static void print_timer(const char *when, int result) {
    print("%s: %s, active %d, due in %d, repeat %d", when, code(result),
          uv_is_active((uv_handle_t *)&timer), (int)uv_timer_get_due_in(&timer),
          (int)uv_timer_get_repeat(&timer));
}

int main(void) {
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    print_timer("never started", uv_timer_again(&timer));
    uv_timer_set_repeat(&timer, 40);
    print_timer("never started, with a repeat", uv_timer_again(&timer));
    uv_timer_start(&timer, on_timer, 100, 0);
    print_timer("running without a repeat", uv_timer_again(&timer));
    uv_timer_stop(&timer);
    print_timer("stopped without a repeat", uv_timer_again(&timer));
    uv_timer_set_repeat(&timer, 30);
    print_timer("stopped with a repeat", uv_timer_again(&timer));
    uv_timer_set_repeat(&timer, 2);
    print_timer("running with a repeat", uv_timer_again(&timer));
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print_timer("stopped in its callback", uv_timer_again(&timer));
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_timer_start(&timer, on_timer, 30, 30);
    uv_close((uv_handle_t *)&timer, NULL);
    print("closing: %s, active %d", code(uv_timer_again(&timer)),
          uv_is_active((uv_handle_t *)&timer));
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("closed: %s", code(uv_timer_again(&timer)));
    uv_timer_init(&loop, &timer);
    uv_close((uv_handle_t *)&timer, NULL);
    print("closing, never started: %s", code(uv_timer_again(&timer)));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
