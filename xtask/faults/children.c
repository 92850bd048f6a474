/* Child processes: one echoes over pipes, one exits at once, one is killed, one does not exist. */
#include "workload.h"

static uv_loop_t loop;
static uv_process_t echoing, exiting, killed, missing;
static uv_pipe_t to_child, from_child;
static uv_write_t write_request;
static uv_shutdown_t shutdown_request;
static char got[64];
static int exits;

static void on_exit_of(uv_process_t *process, int64_t status, int signal) {
    reported("exit", 0);
    exits++;
    complete("an exit status", process != &exiting || (status == 7 && signal == 0));
    complete("a signal", process != &killed || signal == SIGKILL);
    end_handle(process);
}

static void on_write(uv_write_t *write, int status) {
    (void)write;
    reported("write", status);
}

static void on_shutdown(uv_shutdown_t *shutdown, int status) {
    (void)shutdown;
    reported("shutdown", status);
    end_handle(&to_child);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count > 0) strncat(got, buffer->base, count);
    if (count < 0 && (count != UV_EOF || strcmp(got, "echo") != 0)) record_error("read", count);
    if (count < 0) end_handle(stream);
}

static int spawn(uv_process_t *process, char **arguments, uv_stdio_container_t *stdio, int count) {
    uv_process_options_t options = {.exit_cb = on_exit_of, .file = arguments[0]};
    options.args = arguments;
    options.stdio = stdio;
    options.stdio_count = count;
    int result = uv_spawn(&loop, process, &options);
    if (process == &missing) {
        if (result == 0) lost("an error: a program that does not exist was started");
        else if (result != UV_ENOENT) record_error("spawn", result);
        end_handle(process);
    } else if (!started("exit", result)) {
        end_handle(process);
    }
    return result == 0;
}

static void echo(void) {
    char *arguments[] = {"/bin/cat", NULL};
    uv_buf_t text = uv_buf_init("echo", 4);
    if (check("pipe_init", uv_pipe_init(&loop, &to_child, 0)) != 0) return;
    if (check("pipe_init", uv_pipe_init(&loop, &from_child, 0)) != 0) return;
    uv_stdio_container_t stdio[3] = {
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = STREAM(&to_child)},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = STREAM(&from_child)},
        {.flags = UV_INHERIT_FD, .data.fd = 2},
    };
    if (!spawn(&echoing, arguments, stdio, 3)) return;
    check("read_start", uv_read_start(STREAM(&from_child), on_alloc, on_read));
    started("write", uv_write(&write_request, STREAM(&to_child), &text, 1, on_write));
    started("shutdown", uv_shutdown(&shutdown_request, STREAM(&to_child), on_shutdown));
}

int main(void) {
    char *exit_7[] = {"/bin/sh", "-c", "exit 7", NULL};
    char *sleeps[] = {"/bin/sleep", "100", NULL};
    char *nothing[] = {"/nonexistent/program", NULL};
    set_injection(1);
    if (init_loop(&loop)) {
        echo();
        spawn(&exiting, exit_7, NULL, 0);
        if (spawn(&killed, sleeps, NULL, 0)) {
            int result = check("kill", uv_process_kill(&killed, SIGKILL));
            if (result != 0) kill(uv_process_get_pid(&killed), SIGKILL);
        }
        spawn(&missing, nothing, NULL, 0);
        uv_run(&loop, UV_RUN_DEFAULT);
        /* A handle that was closed before its exit was reported gets no exit callback. */
        operation_named("exit")->started = operation_named("exit")->reported;
        complete("exits", exits == 3);
        finish_loop(&loop);
        complete("an echo", strcmp(got, "echo") == 0);
    }
    return exit_code();
}
