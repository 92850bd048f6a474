/* aborts: uv_poll_start: 0x40 */
#include "test.h"

static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)poll;
    (void)status;
    (void)events;
}

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_poll_t poll;
    int ends[2];
    assert(pipe(ends) == 0);
    uv_poll_init(&loop, &poll, ends[0]);
    uv_poll_start(&poll, 64, on_poll);
    return 0;
}
