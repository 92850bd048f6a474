/* Signalled handles are called in the order of their creation, whatever the order of sending. A
 * handle signalled during the round is called in it if its turn is still to come. */
#include "say.h"

static uv_async_t asyncs[5];
static int scene, calls;

static void on_async(uv_async_t *async) {
    say("  async %d", (int)(async - asyncs));
    if (calls++ > 0) return;
    if (scene == 1) {
        uv_async_send(&asyncs[4]);
        uv_async_send(&asyncs[0]);
    }
    if (scene == 2) uv_async_send(async);
    if (scene == 3) uv_close((uv_handle_t *)&asyncs[3], NULL);
}

int main(void) {
    static const int sends[4][6] = {{3, 0, 4, 1, 2, -1}, {2, -1}, {2, 3, -1}, {3, 2, 1, 4, -1}};
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (scene = 0; scene < 4; scene++) {
        calls = 0;
        for (size_t i = 0; i < COUNT(asyncs); i++) uv_async_init(&loop, &asyncs[i], on_async);
        for (const int *send = sends[scene]; *send >= 0; send++) uv_async_send(&asyncs[*send]);
        for (int i = 0; i < 3; i++)
            say("scene %d, nowait %d", scene, uv_run(&loop, UV_RUN_NOWAIT));
        uv_walk(&loop, close_walked, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
