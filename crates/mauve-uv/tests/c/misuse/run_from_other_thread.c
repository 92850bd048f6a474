/* aborts: uv_run: the loop at 0x ... runs on thread ... : only uv_async_send may be called from another thread */
#include "other_thread.h"

static void misuse(void) { uv_run(&loop, UV_RUN_NOWAIT); }

int main(void) {
    return run_and_misuse();
}
