/* No process can be created: uv_spawn returns the error, and the pipes of the child are open and read the end of
 * file. */
#include "child.h"
#include "seccomp.h"

static uv_pipe_t output;

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    static char bytes[64];
    (void)handle, (void)size;
    *buffer = uv_buf_init(bytes, sizeof bytes);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("read %s", code((int)count));
    uv_close((uv_handle_t *)stream, NULL);
}

int main(void) {
    prepare_child();
    uv_pipe_init(&loop, &output, 0);
    stdio[1].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
    stdio[1].data.stream = (uv_stream_t *)&output;
    fail_syscall(SYS_clone, 0, EAGAIN);
    fail_syscall(SYS_clone3, 0, EAGAIN);
#ifdef SYS_vfork
    fail_syscall(SYS_vfork, 0, EAGAIN);
#endif
    print("spawn %s", code(uv_spawn(&loop, &child, &options)));
    print("active %d, readable %d, writable %d", uv_is_active((uv_handle_t *)&child),
          uv_is_readable((uv_stream_t *)&output), uv_is_writable((uv_stream_t *)&output));
    print("start %s", code(uv_read_start((uv_stream_t *)&output, on_alloc, on_read)));
    uv_close((uv_handle_t *)&child, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
