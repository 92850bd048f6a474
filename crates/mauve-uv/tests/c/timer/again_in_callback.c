/* uv_timer_again, uv_timer_set_repeat, uv_timer_start and uv_timer_stop in the timer callback. */
#include "test.h"

static uv_timer_t timer;
static int calls;

static void on_timer(uv_timer_t *handle) {
    calls++;
    print("call %d: due in %d, repeat %d", calls, (int)uv_timer_get_due_in(handle),
          (int)uv_timer_get_repeat(handle));
    switch (calls) {
    case 1: /* Takes effect after the next call, which is already scheduled. */
        uv_timer_set_repeat(handle, 3);
        print("  set: due in %d", (int)uv_timer_get_due_in(handle));
        break;
    case 2:
        uv_timer_set_repeat(handle, 4);
        print("  again %s", code(uv_timer_again(handle)));
        print("  due in %d", (int)uv_timer_get_due_in(handle));
        break;
    case 3:
        print("  start %s", code(uv_timer_start(handle, on_timer, 2, 6)));
        print("  due in %d", (int)uv_timer_get_due_in(handle));
        break;
    case 4: /* Without a repeat, one more call follows. */
        uv_timer_set_repeat(handle, 0);
        print("  again %s", code(uv_timer_again(handle)));
        print("  due in %d", (int)uv_timer_get_due_in(handle));
        break;
    case 5:
        print("  active %d", uv_is_active((uv_handle_t *)handle));
        print("  stop %s", code(uv_timer_stop(handle)));
        break;
    }
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 1, 5);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
