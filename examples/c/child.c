/*
 * A child process, its output through a pipe, and a signal.
 *
 *   make -C examples/c run-child
 *
 * Look at the end: the child is killed by the signal that the program sends after the first line, and
 * the loop ends by itself when the process and the pipe are closed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

static uv_process_t child;
static uv_pipe_t output;
static char text[256];

static void must(int status, const char *what) {
    if (status >= 0) return;
    fprintf(stderr, "%s: %s\n", what, uv_strerror(status));
    exit(1);
}

static void on_child_exit(uv_process_t *process, int64_t status, int signal) {
    printf("the child has exited: status %d, signal %d%s\n", (int)status, signal,
           signal == SIGTERM ? " (SIGTERM)" : "");
    uv_close((uv_handle_t *)process, NULL);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle;
    (void)size;
    *buffer = uv_buf_init(text, sizeof text);
}

static void on_read(uv_stream_t *stream, ssize_t length, const uv_buf_t *buffer) {
    if (length > 0) {
        printf("the child says: %.*s", (int)length, buffer->base);
        must(uv_process_kill(&child, SIGTERM), "uv_process_kill");
    } else if (length < 0) {
        uv_close((uv_handle_t *)stream, NULL);
    }
}

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    char *arguments[] = {"sh", "-c", "echo ready; exec sleep 60", NULL};
    uv_stdio_container_t stdio[2] = {
        {.flags = UV_IGNORE},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&output},
    };
    uv_process_options_t options = {
        .exit_cb = on_child_exit, .file = "sh", .args = arguments, .stdio = stdio, .stdio_count = 2};
    must(uv_pipe_init(loop, &output, 0), "uv_pipe_init");
    must(uv_spawn(loop, &child, &options), "uv_spawn");
    must(uv_read_start((uv_stream_t *)&output, on_alloc, on_read), "uv_read_start");
    must(uv_run(loop, UV_RUN_DEFAULT), "uv_run");
    must(uv_loop_close(loop), "uv_loop_close");
    return 0;
}
