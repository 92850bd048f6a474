/* The close callback of a file system poll: after that of handles that were closed with it, because
 * the query in flight and the internal timer have to end first. */
#include "../test.h"

static uv_loop_t loop;

static void on_change(uv_fs_poll_t *handle, int status, const uv_stat_t *before,
                      const uv_stat_t *after) {
    (void)before, (void)after;
    print("%s changed: %s", (const char *)handle->data, code(status));
    uv_stop(&loop);
}

static void on_close(uv_handle_t *handle) {
    print("%s closed, alive %d", (const char *)handle->data, uv_loop_alive(&loop));
}

static void init(uv_fs_poll_t *handle, const char *name) {
    uv_fs_poll_init(&loop, handle);
    handle->data = (void *)name;
}

/* Closes a handle that was never started, and one in the given state, in both orders. */
static void check(const char *state, int waits, int stops, int first) {
    uv_fs_poll_t started, idle;
    print("%s, closed %s", state, first ? "first" : "last");
    init(&started, "the started one");
    init(&idle, "the other one");
    print("start %s", code(uv_fs_poll_start(&started, on_change, "/no-such-file", 100000)));
    /* The first query reports an error. Its timer runs afterwards. */
    if (waits) uv_run(&loop, UV_RUN_DEFAULT);
    if (stops) print("stop %s", code(uv_fs_poll_stop(&started)));
    if (first) uv_close((uv_handle_t *)&started, on_close);
    uv_close((uv_handle_t *)&idle, on_close);
    if (!first) uv_close((uv_handle_t *)&started, on_close);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
}

int main(void) {
    uv_loop_init(&loop);
    for (int first = 0; first < 2; first++) {
        check("a query is in flight", 0, 0, first);
        check("a query is in flight, stopped", 0, 1, first);
        check("the timer runs", 1, 0, first);
        check("the timer has run, stopped", 1, 1, first);
    }
    print("loop %s", code(uv_loop_close(&loop)));
    return 0;
}
