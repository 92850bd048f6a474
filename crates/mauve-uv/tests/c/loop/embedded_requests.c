/* env: MAUVE_SELECTOR=epoll */
/* Requests that complete on the pool, and async wake-ups, make the backend descriptor readable.
 * They are started in a callback of the loop and outside of it. */
#include "embedded.h"

#include <fcntl.h>

enum { ROUNDS = 20 };

static uv_loop_t loop;
static uv_async_t async;
static uv_work_t work;
static uv_fs_t request;
static uv_buf_t buffer;
static char bytes[64];
static int file, calls, done;

static void on_async(uv_async_t *handle) {
    (void)handle;
    done = 1;
}

static void on_work(uv_work_t *req) {
    (void)req;
}

static void after_work(uv_work_t *req, int status) {
    (void)req;
    assert(status == 0);
    done = 1;
}

static void on_fs(uv_fs_t *req) {
    assert(req->result >= 0);
    uv_fs_req_cleanup(req);
    done = 1;
}

static void start_work(void) {
    uv_queue_work(&loop, &work, on_work, after_work);
}

static void start_read(void) {
    buffer = uv_buf_init(bytes, sizeof bytes);
    uv_fs_read(&loop, &request, file, &buffer, 1, 0, on_fs);
}

static void start_stat(void) {
    uv_fs_stat(&loop, &request, "/", on_fs);
}

static void start_fstat(void) {
    uv_fs_fstat(&loop, &request, file, on_fs);
}

static void start_async(void) {
    uv_async_send(&async);
}

/* Called in the timer callback. */
static void (*start)(void);

static void on_timer(uv_timer_t *handle) {
    start();
    uv_close(HANDLE(handle), NULL);
}

static void start_outside(const char *name, void (*starter)(void)) {
    for (int i = 0; i < ROUNDS; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        done = 0;
        starter();
        /* Only the descriptor reports the completion. */
        while (!done) {
            struct pollfd pollfd = {.fd = backend(&loop), .events = POLLIN};
            if (poll(&pollfd, 1, 3000) != 1) {
                print("poll timed out");
                break;
            }
            uv_run(&loop, UV_RUN_NOWAIT);
        }
        calls += done;
    }
    print("%s outside: %d", name, calls);
    calls = 0;
}

static void start_in_callback(const char *name, void (*starter)(void)) {
    uv_timer_t timer;
    start = starter;
    for (int i = 0; i < ROUNDS; i++) {
        done = 0;
        uv_timer_init(&loop, &timer);
        uv_timer_start(&timer, on_timer, 0, 0);
        uv_run(&loop, UV_RUN_NOWAIT);
        run_embedded(&loop, &done);
        calls += done;
    }
    print("%s inside: %d", name, calls);
    calls = 0;
}

static void run_all(const char *source) {
    print("%s", source);
    assert(uv_loop_init(&loop) == 0);
    uv_async_init(&loop, &async, on_async);
    start_outside("async", start_async);
    start_in_callback("async", start_async);
    start_outside("work", start_work);
    start_in_callback("work", start_work);
    start_outside("read", start_read);
    start_in_callback("read", start_read);
    start_outside("stat", start_stat);
    start_in_callback("stat", start_stat);
    start_outside("fstat", start_fstat);
    start_in_callback("fstat", start_fstat);
    /* No event is left. */
    uv_run(&loop, UV_RUN_NOWAIT);
    struct pollfd pollfd = {.fd = backend(&loop), .events = POLLIN};
    print("readable: %d", poll(&pollfd, 1, 0));
    print("close %s", code(close_loop(&loop)));
}

int main(void) {
    file = open("/proc/self/exe", O_RDONLY);
    assert(file >= 0);
    run_all("uv_backend_fd");
    backend = backend_fd_field;
    run_all("loop->backend_fd");
    return 0;
}
