/* aborts: uv_timer_start: the loop at 0x ... runs on thread ... : only uv_async_send may be called from another thread */
/* env: MAUVE_CHECK=1 */
#include "other_thread.h"

static void misuse(void) { uv_timer_start(&other, on_timer, 1, 0); }

int main(void) {
    in_a_callback = 1;
    return run_and_misuse();
}
