/* A sandbox forbids ioctl: loops, pipes and children do not need it. */
#include "../test.h"
#include "../seccomp.h"

static uv_loop_t loop;

static int exited;

static void on_exit_of(uv_process_t *process, int64_t status, int signal) {
    exited = status == 0 && signal == 0;
    uv_close((uv_handle_t *)process, NULL);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
    static char bytes[64];
    (void)handle, (void)suggested;
    *buf = uv_buf_init(bytes, sizeof bytes);
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
    if (nread > 0) {
        print("read %.*s", (int)nread, buf->base);
    } else {
        print("read %s", code((int)nread));
        uv_close((uv_handle_t *)stream, NULL);
    }
}

int main(void) {
    uv_process_t process;
    uv_pipe_t output;
    uv_file fds[2];
    char *arguments[] = {"/bin/echo", "-n", "text", NULL};
    fail_syscall(SYS_ioctl, 0, EPERM);
    print("uv_loop_init %s", code(uv_loop_init(&loop)));
    print("uv_pipe %s", code(uv_pipe(fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE)));
    uv_pipe_init(&loop, &output, 0);
    uv_stdio_container_t stdio[] = {
        {.flags = UV_IGNORE},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&output},
    };
    uv_process_options_t options = {.file = arguments[0],
                                    .args = arguments,
                                    .exit_cb = on_exit_of,
                                    .stdio = stdio,
                                    .stdio_count = 2};
    print("uv_spawn %s", code(uv_spawn(&loop, &process, &options)));
    print("uv_read_start %s", code(uv_read_start((uv_stream_t *)&output, on_alloc, on_read)));
    print("uv_run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("exited %d", exited);
    print("uv_loop_close %s", code(uv_loop_close(&loop)));
    return 0;
}
