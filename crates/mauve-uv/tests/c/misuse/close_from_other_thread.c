/* aborts: uv_close: the loop at 0x ... runs on thread ... : only uv_async_send may be called from another thread */
#include "other_thread.h"

static void misuse(void) { uv_close((uv_handle_t *)&other, NULL); }

int main(void) {
    return run_and_misuse();
}
