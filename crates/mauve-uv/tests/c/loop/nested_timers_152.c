/* needs: 1.52 */
/* uv_run in a timer callback does not run the timers that the outer run has found due. */
#include "test.h"

static uv_loop_t loop;
static char trace[64];
static size_t length;

static void on_timer(uv_timer_t *timer) {
    char name = *(char *)timer->data;
    trace[length++] = name;
    if (name == 'b') {
        trace[length++] = '(';
        EXPECT(uv_run(&loop, UV_RUN_NOWAIT), 0);
        trace[length++] = ')';
    }
}

int main(void) {
    static char names[] = "abcd";
    uv_timer_t timers[4];
    int i;

    EXPECT(uv_loop_init(&loop), 0);
    for (i = 0; i < 4; i++) {
        uv_timer_init(&loop, &timers[i]);
        timers[i].data = &names[i];
        uv_timer_start(&timers[i], on_timer, 0, 0);
    }
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT(strcmp(trace, "ab()cd"), 0);
    return 0;
}
