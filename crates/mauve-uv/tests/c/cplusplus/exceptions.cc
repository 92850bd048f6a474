/* C++ exceptions propagate out of uv_run from callbacks of every kind; the loop can be run again.
 * */
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include <uv.h>

static uv_loop_t loop;

/* Prints a line when the stack is unwound. */
struct Local {
    const char *name;
    ~Local() { std::printf("%s unwound\n", name); }
};

static int remaining;

static void maybe_throw(const char *what) {
    Local local = {what};
    std::printf("%s\n", what);
    if (remaining-- > 0)
        throw what;
}

static uv_handle_t *as_handle(uv_timer_t *timer) { return reinterpret_cast<uv_handle_t *>(timer); }

template <typename Handle> static void on_hook(Handle *) { maybe_throw("hook"); }
static void on_close(uv_handle_t *) { maybe_throw("close"); }
static void on_work(uv_work_t *) {}
static void after_work(uv_work_t *, int) { maybe_throw("after work"); }
static void on_stat(uv_fs_t *request) {
    uv_fs_req_cleanup(request);
    maybe_throw("stat");
}
static void on_write(uv_write_t *, int status) {
    std::printf("write %d\n", status);
    maybe_throw("write");
}
static void on_shutdown(uv_shutdown_t *, int status) {
    std::printf("shutdown %d\n", status);
    maybe_throw("shutdown");
}

static char memory[64];
static bool throw_in_alloc;

static void on_alloc(uv_handle_t *, size_t, uv_buf_t *buffer) {
    *buffer = uv_buf_init(memory, sizeof(memory));
    if (throw_in_alloc)
        maybe_throw("alloc");
}

static void on_read(uv_stream_t *, ssize_t size, const uv_buf_t *) {
    std::printf("read %d\n", static_cast<int>(size));
    maybe_throw("read");
}

static void on_receive(uv_udp_t *, ssize_t size, const uv_buf_t *, const sockaddr *, unsigned) {
    if (size > 0) {
        std::printf("received %d\n", static_cast<int>(size));
        maybe_throw("receive");
    }
}

/* Runs the loop until `times` exceptions were thrown, and with UV_RUN_NOWAIT once more. */
static void run(uv_run_mode mode, int times) {
    int more = mode == UV_RUN_ONCE ? 0 : 1;
    remaining = times;
    for (int i = 0; i < times + more; i++) {
        try {
            Local local = {"run"};
            uv_run(&loop, mode);
        } catch (const char *what) {
            std::printf("caught: %s\n", what);
        }
    }
}

int main() {
    uv_timer_t timer;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_hook<uv_timer_t>, 1, 1);
    run(UV_RUN_ONCE, 2);
    uv_timer_stop(&timer);

    uv_idle_t idle;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_async_t async;
    uv_idle_init(&loop, &idle);
    uv_idle_start(&idle, on_hook<uv_idle_t>);
    run(UV_RUN_NOWAIT, 1);
    uv_idle_stop(&idle);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_hook<uv_prepare_t>);
    run(UV_RUN_NOWAIT, 1);
    uv_prepare_stop(&prepare);
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_hook<uv_check_t>);
    run(UV_RUN_NOWAIT, 1);
    uv_check_stop(&check);
    uv_async_init(&loop, &async, on_hook<uv_async_t>);
    uv_async_send(&async);
    run(UV_RUN_NOWAIT, 1);

    uv_work_t work;
    uv_fs_t stat;
    uv_queue_work(&loop, &work, on_work, after_work);
    run(UV_RUN_ONCE, 1);
    uv_fs_stat(&loop, &stat, "/", on_stat);
    run(UV_RUN_ONCE, 1);

    int fds[2];
    uv_pipe_t pipe;
    uv_write_t write_request;
    uv_shutdown_t shutdown_request;
    uv_buf_t byte = uv_buf_init(const_cast<char *>("x"), 1);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0)
        return 1;
    uv_pipe_init(&loop, &pipe, 0);
    uv_pipe_open(&pipe, fds[0]);
    uv_stream_t *stream = reinterpret_cast<uv_stream_t *>(&pipe);
    uv_write(&write_request, stream, &byte, 1, on_write);
    run(UV_RUN_NOWAIT, 1);
    uv_read_start(stream, on_alloc, on_read);
    if (write(fds[1], "hello", 5) != 5)
        return 1;
    throw_in_alloc = true;
    run(UV_RUN_NOWAIT, 1);
    throw_in_alloc = false;
    if (write(fds[1], "again", 5) != 5)
        return 1;
    run(UV_RUN_NOWAIT, 1);
    uv_shutdown(&shutdown_request, stream, on_shutdown);
    run(UV_RUN_NOWAIT, 1);

    uv_udp_t udp;
    sockaddr_in address;
    int length = sizeof(address);
    uv_udp_init(&loop, &udp);
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_udp_bind(&udp, reinterpret_cast<sockaddr *>(&address), 0);
    uv_udp_getsockname(&udp, reinterpret_cast<sockaddr *>(&address), &length);
    uv_udp_recv_start(&udp, on_alloc, on_receive);
    uv_udp_try_send(&udp, &byte, 1, reinterpret_cast<sockaddr *>(&address));
    run(UV_RUN_NOWAIT, 1);

    remaining = 0;
    uv_walk(&loop, [](uv_handle_t *handle, void *) { uv_close(handle, nullptr); }, nullptr);
    run(UV_RUN_DEFAULT, 0);
    uv_timer_init(&loop, &timer);
    uv_close(as_handle(&timer), on_close);
    run(UV_RUN_DEFAULT, 0);
    close(fds[1]);
    std::printf("close: %d\n", uv_loop_close(&loop));
    return 0;
}
