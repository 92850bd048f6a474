/* needs: mauve */
/* uv_walk in a callback of uv_walk visits all handles. In libuv it visits only those that the outer walk has
 * visited, and a handle that is created in the callback is listed behind the current one. */
#include "test.h"

static uv_timer_t timers[4];
static char visited[64];

static void on_inner(uv_handle_t *handle, void *argument) {
    (void)argument;
    sprintf(visited + strlen(visited), "%d", (int)((uv_timer_t *)handle - timers));
}

static void on_outer(uv_handle_t *handle, void *argument) {
    (void)argument;
    sprintf(visited + strlen(visited), "(%d:", (int)((uv_timer_t *)handle - timers));
    if (handle == (uv_handle_t *)&timers[0]) uv_timer_init(handle->loop, &timers[3]);
    uv_walk(handle->loop, on_inner, NULL);
    strcat(visited, ")");
}

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    for (int i = 0; i < 3; i++) EXPECT(uv_timer_init(&loop, &timers[i]), 0);
    uv_walk(&loop, on_outer, NULL);
    EXPECT(strcmp(visited, "(0:0123)(1:0123)(2:0123)"), 0);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
