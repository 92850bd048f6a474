/* uv_write and uv_shutdown in a write callback: how many callbacks run per iteration. */
#include "net.h"

static uv_loop_t loop;
static uv_pipe_t pipe_;
static uv_write_t writes[2];
static uv_shutdown_t shutdown_;
static uv_check_t check;
static int remaining = 30;

static void on_check(uv_check_t *handle) {
    (void)handle;
    print("check, remaining %d", remaining);
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    print("shutdown %s", code(status));
    uv_close(HANDLE(request->handle), NULL);
    uv_close(HANDLE(&check), NULL);
}

static void on_write(uv_write_t *request, int status) {
    uv_buf_t buffer = uv_buf_init("x", 1);
    assert(status == 0);
    if (remaining-- > 0) {
        assert(uv_write(request, request->handle, &buffer, 1, on_write) == 0);
        assert(request->handle->write_queue_size == 0);
    } else {
        print("shutdown %s", code(uv_shutdown(&shutdown_, request->handle, on_shutdown)));
    }
}

int main(void) {
    uv_buf_t buffer = uv_buf_init("x", 1);
    uv_loop_init(&loop);
    int peer = pipe_with_peer(&loop, &pipe_);
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    uv_write(&writes[0], STREAM(&pipe_), &buffer, 1, on_write);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(peer);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
