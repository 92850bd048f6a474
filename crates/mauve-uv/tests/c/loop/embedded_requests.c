/* Requests that end elsewhere make the backend descriptor readable: work, file requests, wake-ups.
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

static void works(uv_work_t *req) {
    (void)req;
}

static void worked(uv_work_t *req, int status) {
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
    uv_queue_work(&loop, &work, works, worked);
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

/* The same again in each callback, until the rounds are over. */
static void (*start)(void);

static void on_timer(uv_timer_t *handle) {
    start();
    uv_close(HANDLE(handle), NULL);
}

static void outside(const char *name, void (*which)(void)) {
    for (int i = 0; i < ROUNDS; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        done = 0;
        which();
        /* Nothing but the descriptor says when it has ended. */
        while (!done) {
            struct pollfd pollfd = {.fd = backend(&loop), .events = POLLIN};
            if (poll(&pollfd, 1, 3000) != 1) {
                say("silence");
                break;
            }
            uv_run(&loop, UV_RUN_NOWAIT);
        }
        calls += done;
    }
    say("%s outside: %d", name, calls);
    calls = 0;
}

static void inside(const char *name, void (*which)(void)) {
    uv_timer_t timer;
    start = which;
    for (int i = 0; i < ROUNDS; i++) {
        done = 0;
        uv_timer_init(&loop, &timer);
        uv_timer_start(&timer, on_timer, 0, 0);
        uv_run(&loop, UV_RUN_NOWAIT);
        run_embedded(&loop, &done);
        calls += done;
    }
    say("%s inside: %d", name, calls);
    calls = 0;
}

static void all(const char *how) {
    say("%s", how);
    assert(uv_loop_init(&loop) == 0);
    uv_async_init(&loop, &async, on_async);
    outside("async", start_async);
    inside("async", start_async);
    outside("work", start_work);
    inside("work", start_work);
    outside("read", start_read);
    inside("read", start_read);
    outside("stat", start_stat);
    inside("stat", start_stat);
    outside("fstat", start_fstat);
    inside("fstat", start_fstat);
    /* Nothing is left to be seen. */
    uv_run(&loop, UV_RUN_NOWAIT);
    struct pollfd pollfd = {.fd = backend(&loop), .events = POLLIN};
    say("left: %d", poll(&pollfd, 1, 0));
    say("close %s", code(finish(&loop)));
}

int main(void) {
    file = open("/proc/self/exe", O_RDONLY);
    assert(file >= 0);
    all("asked for");
    backend = from_struct;
    all("read from the struct");
    return 0;
}
