/* Inside the callback: again, a new repeat value, a restart, a stop. */
#include "say.h"

static uv_timer_t timer;
static int calls;

static void on_timer(uv_timer_t *handle) {
    calls++;
    say("call %d: due in %d, repeat %d", calls, (int)uv_timer_get_due_in(handle),
        (int)uv_timer_get_repeat(handle));
    switch (calls) {
    case 1: /* Counts from the next time on: this one is armed already. */
        uv_timer_set_repeat(handle, 3);
        say("  set: due in %d", (int)uv_timer_get_due_in(handle));
        break;
    case 2:
        uv_timer_set_repeat(handle, 4);
        say("  again %s", code(uv_timer_again(handle)));
        say("  due in %d", (int)uv_timer_get_due_in(handle));
        break;
    case 3:
        say("  start %s", code(uv_timer_start(handle, on_timer, 2, 6)));
        say("  due in %d", (int)uv_timer_get_due_in(handle));
        break;
    case 4: /* No more repeats: this is the last but one. */
        uv_timer_set_repeat(handle, 0);
        say("  again %s", code(uv_timer_again(handle)));
        say("  due in %d", (int)uv_timer_get_due_in(handle));
        break;
    case 5:
        say("  active %d", uv_is_active((uv_handle_t *)handle));
        say("  stop %s", code(uv_timer_stop(handle)));
        break;
    }
}

int main(void) {
    uv_loop_t loop;

    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 1, 5);
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close %s", code(finish(&loop)));
    return 0;
}
