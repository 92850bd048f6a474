/* aborts: uv_stop: the loop at 0x ... runs on thread ... : only uv_async_send may be called from another thread */
/* env: MAUVE_CHECK=1 */
#include "other_thread.h"

static void misuse(void) { uv_stop(&loop); }

int main(void) {
    return run_and_misuse();
}
