/* UV_CREATE_PIPE in both directions. The exit status is printed last, because its order relative
 * to the end of file differs between versions. */
#include "child.h"

static uv_pipe_t in, out;
static uv_write_t write_request;
static uv_shutdown_t shutdown_request;
static char text[256], buffer[256];

static void on_allocate(uv_handle_t *handle, size_t size, uv_buf_t *target) {
    (void)handle;
    (void)size;
    *target = uv_buf_init(buffer, sizeof buffer);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *data) {
    if (count > 0) strncat(text, data->base, (size_t)count);
    if (count < 0) {
        print("  read \"%s\", then %s", text, uv_err_name((int)count));
        uv_close((uv_handle_t *)stream, NULL);
    }
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    print("  shut down: %s", code(status));
    uv_close((uv_handle_t *)request->handle, NULL);
}

static void on_written(uv_write_t *request, int status) {
    print("  written: %s", code(status));
    uv_shutdown(&shutdown_request, request->handle, on_shutdown);
}

static int64_t status = -1;

static void on_status(uv_process_t *process, int64_t exited, int number) {
    (void)process;
    if (number == 0) status = exited;
}

int main(void) {
    uv_buf_t data = uv_buf_init("hello", 5);

    prepare_child();
    uv_pipe_init(&loop, &in, 0);
    uv_pipe_init(&loop, &out, 0);
    stdio[0].flags = UV_CREATE_PIPE | UV_READABLE_PIPE;
    stdio[0].data.stream = (uv_stream_t *)&in;
    stdio[1].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
    stdio[1].data.stream = (uv_stream_t *)&out;
    shell[2] = "tr a-z A-Z";
    options.exit_cb = on_status;
    print("spawn %s", code(uv_spawn(&loop, &child, &options)));
    print("in: readable %d, writable %d", uv_is_readable((uv_stream_t *)&in),
          uv_is_writable((uv_stream_t *)&in));
    print("out: readable %d, writable %d", uv_is_readable((uv_stream_t *)&out),
          uv_is_writable((uv_stream_t *)&out));
    uv_read_start((uv_stream_t *)&out, on_allocate, on_read);
    uv_write(&write_request, (uv_stream_t *)&in, &data, 1, on_written);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("status %d", (int)status);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
