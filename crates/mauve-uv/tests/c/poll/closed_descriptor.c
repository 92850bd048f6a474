/* The program closes the descriptor before uv_poll_stop and uv_close. libuv does not permit it,
 * but programs do it. */
#include "test.h"

static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)poll;
    print("%s %d", code(status), events);
}

int main(void) {
    uv_loop_t loop;
    uv_poll_t poll;
    int ends[2];

    uv_loop_init(&loop);
    assert(pipe(ends) == 0);
    uv_poll_init(&loop, &poll, ends[0]);
    uv_poll_start(&poll, UV_READABLE, on_poll);
    uv_run(&loop, UV_RUN_NOWAIT);
    close(ends[0]);
    print("nowait %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("stop %s", code(uv_poll_stop(&poll)));
    uv_close((uv_handle_t *)&poll, NULL);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
