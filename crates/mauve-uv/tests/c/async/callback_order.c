/* Notified handles are called in the order of their creation, not of the sends. A handle notified
 * while callbacks run is called in the same pass if it comes later in that order. */
#include "test.h"

static uv_async_t asyncs[5];
static int scenario, calls;

static void on_async(uv_async_t *async) {
    print("  async %d", (int)(async - asyncs));
    if (calls++ > 0) return;
    if (scenario == 1) {
        uv_async_send(&asyncs[4]);
        uv_async_send(&asyncs[0]);
    }
    if (scenario == 2) uv_async_send(async);
    if (scenario == 3) uv_close((uv_handle_t *)&asyncs[3], NULL);
}

int main(void) {
    static const int sends[4][6] = {{3, 0, 4, 1, 2, -1}, {2, -1}, {2, 3, -1}, {3, 2, 1, 4, -1}};
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (scenario = 0; scenario < 4; scenario++) {
        calls = 0;
        for (size_t i = 0; i < COUNT(asyncs); i++) uv_async_init(&loop, &asyncs[i], on_async);
        for (const int *send = sends[scenario]; *send >= 0; send++) uv_async_send(&asyncs[*send]);
        for (int i = 0; i < 3; i++)
            print("scenario %d, nowait %d", scenario, uv_run(&loop, UV_RUN_NOWAIT));
        uv_walk(&loop, close_walked, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
