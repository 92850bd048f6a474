/* aborts: uv_timer_start: the loop at 0x ... runs on thread ... : only uv_async_send may be called from another thread */
#include "other_thread.h"

static void misuse(void) { uv_timer_start(&other, on_timer, 1, 0); }

int main(void) {
    return run_and_misuse();
}
