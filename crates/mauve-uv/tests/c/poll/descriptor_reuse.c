/* A descriptor number is reused for another pipe within one iteration. */
#include "test.h"

static uv_loop_t loop;

static void on_poll(uv_poll_t *poll, int status, int events) {
    print("  %s: %s %d", (char *)poll->data, code(status), events);
}

int main(void) {
    uv_poll_t first, second;
    int one[2], two[2], number;

    uv_loop_init(&loop);
    assert(pipe(one) == 0 && pipe(two) == 0);
    number = one[0];
    first.data = "first";
    second.data = "second";
    uv_poll_init(&loop, &first, number);
    uv_poll_start(&first, UV_READABLE, on_poll);
    uv_run(&loop, UV_RUN_NOWAIT);

    uv_poll_stop(&first);
    uv_close((uv_handle_t *)&first, NULL);
    assert(dup2(two[0], number) == number);
    assert(write(two[1], "x", 1) == 1);
    print("init %s", code(uv_poll_init(&loop, &second, number)));
    print("start %s", code(uv_poll_start(&second, UV_READABLE, on_poll)));
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_close((uv_handle_t *)&second, NULL);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));

    /* Stopped and started within one iteration. */
    uv_poll_init(&loop, &first, number);
    first.data = "again";
    uv_poll_start(&first, UV_READABLE, on_poll);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_poll_stop(&first);
    uv_poll_start(&first, UV_READABLE, on_poll);
    uv_run(&loop, UV_RUN_NOWAIT);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
