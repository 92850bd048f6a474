/* The position of a handle that is made in a callback: libuv puts it behind the handles that it has looked at
 * in this iteration, and before the others. */
#include "test.h"

static uv_async_t asyncs[64];
static int made;
static uv_work_t work;
static uv_fs_t query;

static void on_async(uv_async_t *async);

static void make(void) {
    uv_async_init(uv_default_loop(), &asyncs[made], on_async);
    print("  made %d", made);
    made++;
}

static int makes_at;

static void on_async(uv_async_t *async) {
    int number = (int)(async - asyncs);

    print("  async %d", number);
    if (number != makes_at) return;
    makes_at = -1;
    make();
    make();
}

static void do_work(uv_work_t *request) { (void)request; }

static void on_work(uv_work_t *request, int status) {
    (void)request;
    print("  work %s", code(status));
    make();
}

static void on_stat(uv_fs_t *request) {
    print("  stat %s", code((int)request->result));
    uv_fs_req_cleanup(request);
    make();
}

static void on_timer(uv_timer_t *timer) {
    print("  timer");
    uv_close((uv_handle_t *)timer, NULL);
    make();
}

/* Sends to all handles, the newest first, and runs. */
static void order(const char *title) {
    print("%s", title);
    for (int i = made - 1; i >= 0; i--) uv_async_send(&asyncs[i]);
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
}

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    uv_timer_t timer;

    for (int i = 0; i < 3; i++) make();
    makes_at = -1;
    order("three handles");
    makes_at = 1;
    order("two are made by handle 1");
    order("then");
    makes_at = 1;
    order("two more are made by handle 1");
    order("then");
    uv_queue_work(loop, &work, do_work, on_work);
    while (made == 7) uv_run(loop, UV_RUN_ONCE);
    order("one is made by a work callback");
    uv_fs_stat(loop, &query, ".", on_stat);
    while (made == 8) uv_run(loop, UV_RUN_ONCE);
    order("one is made by a file callback");
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_timer, 0, 0);
    while (made == 9) uv_run(loop, UV_RUN_ONCE);
    order("one is made by a timer callback");
    for (int i = 0; i < 40; i++) {
        int before = made;

        uv_queue_work(loop, &work, do_work, on_work);
        while (made == before) uv_run(loop, UV_RUN_ONCE);
    }
    order("forty are made by work callbacks");
    uv_walk(loop, close_walked, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    print("close %s", code(uv_loop_close(loop)));
    return 0;
}
