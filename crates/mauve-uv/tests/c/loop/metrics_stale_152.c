/* needs: 1.52 */
/* uv_metrics_info counts the events that are handled: not those of handles that were stopped or started
 * again, and all exits and signals of a poll phase as one. */
#include "net.h"

#include <sys/wait.h>

static uv_loop_t loop;
static uv_poll_t first, second;
static int exits, signals;

static uint64_t events(void) {
    uv_metrics_t metrics;
    EXPECT(uv_metrics_info(&loop, &metrics), 0);
    return metrics.events;
}

static void on_second(uv_poll_t *handle, int status, int ready) {
    (void)handle;
    (void)status;
    (void)ready;
    record_event("second");
}

static void on_first(uv_poll_t *handle, int status, int ready) {
    (void)status;
    (void)ready;
    record_event("first");
    uv_poll_stop(handle);
    uv_poll_start(&second, UV_WRITABLE, on_second);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream;
    (void)count;
    (void)buffer;
    record_event("read");
}

static void on_exit_(uv_process_t *process, int64_t status, int number) {
    (void)status;
    (void)number;
    exits++;
    uv_close(HANDLE(process), NULL);
}

static void on_signal(uv_signal_t *signal, int number) {
    (void)number;
    signals++;
    uv_close(HANDLE(signal), NULL);
}

static void stopped_stream(void) {
    uv_pipe_t reader;
    int ends[2];
    local_sockets(ends);
    uv_pipe_init(&loop, &reader, 0);
    uv_pipe_open(&reader, ends[0]);
    uv_read_start(STREAM(&reader), on_alloc, on_read);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_read_stop(STREAM(&reader));
    EXPECT(write(ends[1], "x", 1), 1);
    uv_async_t keeps_alive;
    uv_async_init(&loop, &keeps_alive, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(events(), 0);
    uv_read_start(STREAM(&reader), on_alloc, on_read);
    uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(events(), 1);
    EXPECT_EVENTS("read ");
    uv_close(HANDLE(&reader), NULL);
    uv_close(HANDLE(&keeps_alive), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    close(ends[1]);
}

static void restarted_poll(void) {
    int ends[2];
    local_sockets(ends);
    uv_poll_init(&loop, &first, ends[0]);
    uv_poll_init(&loop, &second, ends[1]);
    uv_poll_start(&first, UV_WRITABLE, on_first);
    uv_poll_start(&second, UV_WRITABLE, on_second);
    uint64_t before = events();
    uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(events() - before, 1);
    uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(events() - before, 2);
    EXPECT_EVENTS("first second ");
    uv_close(HANDLE(&first), NULL);
    uv_close(HANDLE(&second), NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

static void two_exits_and_a_signal(void) {
    uv_process_t children[2];
    uv_signal_t signal;
    siginfo_t info;
    char *args[] = {"true", NULL};
    uv_process_options_t options = {.file = "true", .args = args, .exit_cb = on_exit_};
    uv_signal_init(&loop, &signal);
    uv_signal_start(&signal, on_signal, SIGUSR1);
    for (int i = 0; i < 2; i++) EXPECT(uv_spawn(&loop, &children[i], &options), 0);
    uint64_t before = events();
    for (int i = 0; i < 2; i++) {
        while (waitid(P_PID, children[i].pid, &info, WEXITED | WNOWAIT) != 0) {
        }
    }
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(exits, 2);
    EXPECT(signals, 1);
    EXPECT(events() - before, 1);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    uv_loop_init(&loop);
    stopped_stream();
    restarted_poll();
    two_exits_and_a_signal();
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
