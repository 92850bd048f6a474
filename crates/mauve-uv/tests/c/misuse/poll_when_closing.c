/* aborts: uv_poll_start: the poll handle */
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
    uv_close((uv_handle_t *)&poll, NULL);
    uv_poll_start(&poll, UV_READABLE, on_poll);
    return 0;
}
