/* needs: 1.53 */
/* uv_cancel of writes: what it returns, which callbacks run in which iteration, with which status and
 * how many bytes, and what happens to the writes behind. The reader is a pipe of 64 KiB. */
#include "net.h"

#define PIECE 40000

static uv_loop_t loop;
static uv_pipe_t sender;
static uv_prepare_t prepare;
static uv_write_t writes[8];
static uv_shutdown_t shutdown_request;
static char bytes[4 * PIECE];
static int reader, iteration, cancel_in_callback, close_in_callback, write_in_callback;

static void on_prepare(uv_prepare_t *handle) {
    (void) handle;
    printf("  iteration %d\n", ++iteration);
}

static void on_write(uv_write_t *request, int status) {
    printf("  write %d: %s, %zu bytes, queue %zu\n", (int) (request - writes), status ? uv_err_name(status) : "0",
           uv_write_nwritten(request), uv_stream_get_write_queue_size(STREAM(&sender)));
    if (cancel_in_callback) {
        int which = cancel_in_callback;
        cancel_in_callback = 0;
        printf("  cancel %d in callback: %d\n", which, uv_cancel((uv_req_t *) &writes[which]));
    }
    if (write_in_callback) {
        uv_buf_t buffer = uv_buf_init(bytes, 10);
        int which = write_in_callback;
        write_in_callback = 0;
        printf("  write %d in callback: %d\n", which, uv_write(&writes[which], STREAM(&sender), &buffer, 1, on_write));
    }
    if (close_in_callback) {
        close_in_callback = 0;
        uv_close(HANDLE(&sender), NULL);
    }
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void) request;
    printf("  shutdown: %d\n", status);
}

static void start(const char *what) {
    int ends[2];
    printf("%s\n", what);
    iteration = 0;
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC)) abort();
    if (fcntl(ends[1], F_SETPIPE_SZ, 65536) < 0) abort();
    reader = ends[0];
    uv_pipe_init(&loop, &sender, 0);
    uv_pipe_open(&sender, ends[1]);
}

static void queue(int from, int count) {
    for (int i = from; i < from + count; i++) {
        uv_buf_t buffers[2] = {uv_buf_init(bytes, PIECE / 2), uv_buf_init(bytes, PIECE / 2)};
        int error = uv_write(&writes[i], STREAM(&sender), buffers, 2, on_write);
        printf("  uv_write %d: %d, queue %zu\n", i, error, uv_stream_get_write_queue_size(STREAM(&sender)));
    }
}

static void cancel(int which) {
    int error = uv_cancel((uv_req_t *) &writes[which]);
    printf("  cancel %d: %s, queue %zu, active %d\n", which, error ? uv_err_name(error) : "0",
           uv_stream_get_write_queue_size(STREAM(&sender)), uv_is_active(HANDLE(&sender)));
}

static void try(void) {
    uv_buf_t buffer = uv_buf_init(bytes, 1);
    int result = uv_try_write(STREAM(&sender), &buffer, 1);
    printf("  try: %s\n", result < 0 ? uv_err_name(result) : "written");
}

static void spin(int times) {
    while (times--) printf("  alive %d\n", uv_run(&loop, UV_RUN_NOWAIT));
}

static long drain(void) {
    long total = 0, count;
    while ((count = read(reader, bytes, sizeof bytes)) > 0) total += count;
    printf("  drained %ld\n", total);
    return total;
}

static void finish(void) {
    if (!uv_is_closing(HANDLE(&sender))) uv_close(HANDLE(&sender), NULL);
    spin(2);
    close(reader);
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&loop);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    uv_unref(HANDLE(&prepare));

    start("a finished write");
    queue(0, 1), cancel(0), cancel(0), spin(2);
    finish();

    start("the last of three");
    queue(0, 3), cancel(2), try(), spin(2), drain(), spin(2), drain(), spin(2);
    finish();

    start("the second of four, partly written");
    queue(0, 4), cancel(1), try(), spin(2), drain(), spin(2), drain(), spin(2);
    finish();

    start("all");
    queue(0, 3), cancel(0), cancel(1), cancel(2), try(), queue(3, 1), spin(2), drain(), spin(2);
    finish();

    start("all, backwards");
    queue(0, 4), cancel(3), cancel(2), cancel(1), cancel(0), try(), spin(2), drain(), spin(2), try();
    finish();

    start("twice");
    queue(0, 3), cancel(2), cancel(2), cancel(1), cancel(1), spin(2);
    finish();

    start("the only one that is left, before a shutdown");
    queue(0, 2), cancel(1);
    printf("  uv_shutdown: %d\n", uv_shutdown(&shutdown_request, STREAM(&sender), on_shutdown));
    spin(3), drain();
    finish();

    start("the only one that is left, after a shutdown");
    queue(0, 2);
    printf("  uv_shutdown: %d\n", uv_shutdown(&shutdown_request, STREAM(&sender), on_shutdown));
    cancel(1), spin(3), drain();
    finish();

    start("after uv_close");
    queue(0, 3);
    uv_close(HANDLE(&sender), NULL);
    cancel(0), cancel(1), cancel(2);
    finish();

    start("before uv_close");
    queue(0, 4), cancel(3), cancel(1);
    finish();

    start("in the callback of an earlier write");
    queue(0, 4);
    cancel_in_callback = 2;
    spin(2), drain(), spin(2), drain(), spin(2);
    finish();

    start("in the callback of a cancelled write");
    queue(0, 4), cancel(3);
    cancel_in_callback = 2;
    spin(3);
    finish();

    start("a write in the callback of a cancelled write");
    queue(0, 2), cancel(1), spin(1), drain(), queue(2, 2), cancel(3);
    write_in_callback = 4;
    spin(3), drain(), spin(2);
    finish();

    start("uv_close in the callback of a cancelled write");
    queue(0, 4), cancel(3), cancel(2);
    close_in_callback = 1;
    spin(3);
    finish();

    start("writes that have failed");
    queue(0, 3);
    close(reader);
    spin(1), cancel(2), spin(2);
    reader = dup(0);
    finish();

    start("writes without a callback");
    queue(0, 2);
    uv_buf_t buffer = uv_buf_init(bytes, 10);
    uv_write(&writes[2], STREAM(&sender), &buffer, 1, NULL);
    cancel(2), spin(2);
    finish();

    uv_close(HANDLE(&prepare), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    printf("closed: %d\n", uv_loop_close(&loop));
    return 0;
}
