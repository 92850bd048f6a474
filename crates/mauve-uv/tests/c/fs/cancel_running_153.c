/* needs: 1.53 */
/* env: UV_USE_IO_URING=1 */
/* A loop that is configured for io_uring can cancel reads and writes that are running. They do not
 * keep threads of the pool busy. */
#include "../test.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MANY = 12 };

static uv_loop_t loop;
static char bytes[64];
/* Callbacks of requests and of work. */
static int done, worked;

static void on_done(uv_fs_t *request) {
    done++;
    printf("  callback: %s\n", request->result < 0 ? uv_err_name((int)request->result) : "done");
    if (request->result >= 0) printf("  bytes: %d\n", (int)request->result);
    uv_fs_req_cleanup(request);
}

static void on_timer(uv_timer_t *timer) { (void)timer; }

/* Runs the loop until requests that block are running, unless the machine is busy. */
static void let_it_run(void) {
    uv_timer_t timer;
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 50, 0);
    uv_run(&loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
}

/* A request that is about to block, on a busy machine, cannot be cancelled yet. */
static void cancel(uv_fs_t *request) {
    int result, attempts = 0;
    while ((result = uv_cancel((uv_req_t *)request)) == UV_EBUSY && ++attempts < 1000) uv_sleep(10);
    printf("  cancel: %s\n", result ? uv_err_name(result) : "0");
}

static int left_in(int fd) {
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return (int)read(fd, bytes, sizeof bytes);
}

static void cancel_a_read(const char *what, int ends[2], int64_t offset, unsigned count) {
    uv_buf_t buffers[] = {uv_buf_init(bytes, 2), uv_buf_init(bytes + 2, 8)};
    uv_fs_t request;
    printf("%s\n", what);
    printf("  read: %d\n", uv_fs_read(&loop, &request, ends[0], buffers, count, offset, on_done));
    let_it_run();
    cancel(&request);
    uv_run(&loop, UV_RUN_DEFAULT);
    if (write(ends[1], "kept", 4) != 4) abort();
    printf("  left: %d\n", left_in(ends[0]));
    close(ends[0]);
    close(ends[1]);
}

static void pipe_or_exit(int ends[2]) {
    if (pipe(ends)) abort();
}

static void twice(void) {
    int ends[2];
    uv_buf_t buffer = uv_buf_init(bytes, 8);
    uv_fs_t request;
    printf("twice\n");
    pipe_or_exit(ends);
    uv_fs_read(&loop, &request, ends[0], &buffer, 1, -1, on_done);
    let_it_run();
    cancel(&request);
    uv_cancel((uv_req_t *)&request);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(ends[0]);
    close(ends[1]);
}

static void not_cancelled(void) {
    int ends[2];
    uv_buf_t buffer = uv_buf_init(bytes, 8);
    uv_fs_t request;
    printf("not cancelled\n");
    pipe_or_exit(ends);
    uv_fs_read(&loop, &request, ends[0], &buffer, 1, -1, on_done);
    let_it_run();
    if (write(ends[1], "hello", 5) != 5) abort();
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_fs_read(&loop, &request, ends[0], &buffer, 1, -1, on_done);
    let_it_run();
    close(ends[1]);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(ends[0]);
}

static void a_write(void) {
    int ends[2];
    static char large[1 << 16];
    uv_buf_t buffer = uv_buf_init(large, 10);
    uv_fs_t request;
    printf("a write\n");
    pipe_or_exit(ends);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    while (write(ends[1], large, sizeof large) > 0) {}
    fcntl(ends[1], F_SETFL, 0);
    uv_fs_write(&loop, &request, ends[1], &buffer, 1, -1, on_done);
    let_it_run();
    cancel(&request);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(ends[0]);
    close(ends[1]);
}

static void on_work(uv_work_t *work) { (void)work; }
static void after_work(uv_work_t *work, int status) {
    (void)work;
    worked++;
    printf("  work: %d\n", status);
}

/* More than the pool has threads. */
static void many(void) {
    static uv_fs_t requests[MANY];
    static int ends[MANY][2];
    uv_work_t work;
    printf("many\n");
    for (int i = 0; i < MANY; i++) {
        uv_buf_t buffer = uv_buf_init(bytes + i, 1);
        pipe_or_exit(ends[i]);
        uv_fs_read(&loop, &requests[i], ends[i][0], &buffer, 1, -1, on_done);
    }
    uv_queue_work(&loop, &work, on_work, after_work);
    while (!worked) uv_run(&loop, UV_RUN_ONCE);
    let_it_run();
    done = 0;
    if (write(ends[MANY - 1][1], "x", 1) != 1) abort();
    while (!done) uv_run(&loop, UV_RUN_ONCE);
    for (int i = 0; i < MANY - 1; i++) cancel(&requests[i]);
    uv_run(&loop, UV_RUN_DEFAULT);
    for (int i = 0; i < MANY; i++) close(ends[i][0]), close(ends[i][1]);
}

int main(void) {
    int ends[2];
    setvbuf(stdout, NULL, _IONBF, 0);
    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&loop);
    printf("configure %d\n", uv_loop_configure(&loop, UV_LOOP_USE_IO_URING_SQPOLL));
    pipe_or_exit(ends);
    cancel_a_read("a pipe", ends, -1, 1);
    pipe_or_exit(ends);
    cancel_a_read("a pipe, several buffers", ends, -1, 2);
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    cancel_a_read("a socket", ends, -1, 1);
    twice();
    not_cancelled();
    a_write();
    many();
    uv_run(&loop, UV_RUN_DEFAULT);
    printf("close %d\n", uv_loop_close(&loop));
    return 0;
}
