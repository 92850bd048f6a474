/* For programs that provoke the errors which docs/guide/src/api lists. FAILS states which error a call
 * must return, or what its callback must get. The tests of the guide read these lines: an error that is
 * provoked here must be listed there, and the other way round. */
#ifndef ERRORS_H
#define ERRORS_H

#include "net.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static int wrong_errors;

#define FAILS(function, error, call) check_error(#function, #error, error, #call, (ssize_t)(call))

static UNUSED void check_error(const char *function, const char *name, int error, const char *call,
                               ssize_t result) {
    print("%s: %s", function, result < 0 ? uv_err_name((int)result) : "no error");
    if (result == error) return;
    fprintf(stderr, "%s returns %s (%zd), not %s\n", call, result < 0 ? uv_err_name((int)result) : "no error",
            result, name);
    wrong_errors++;
}

#define OK(call)                                                                                 \
    do {                                                                                         \
        int ok_result = (int)(call);                                                             \
        if (ok_result < 0) {                                                                     \
            fprintf(stderr, "%s:%d: %s returns %s\n", __FILE__, __LINE__, #call,                 \
                    uv_err_name(ok_result));                                                     \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

static uv_loop_t *loop;

static UNUSED void run(void) { uv_run(loop, UV_RUN_DEFAULT); }

/* A working directory for files and sockets. It is removed at exit. */
static char directory[] = "/tmp/mauve-errors-XXXXXX";

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info, (void)kind, (void)at;
    return remove(path);
}

static void remove_directory(void) {
    if (chdir("/") == 0) nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static UNUSED void begin(void) {
    signal(SIGPIPE, SIG_IGN);
    if (mkdtemp(directory) == NULL || chdir(directory) != 0) exit(1);
    atexit(remove_directory);
    loop = uv_default_loop();
}

static UNUSED int end(void) {
    close_loop(loop);
    return wrong_errors != 0;
}

/* A descriptor that is not open. */
static UNUSED int closed_descriptor(void) {
    int fd = open("/dev/null", O_RDONLY);
    close(fd);
    return fd;
}

static UNUSED void on_connection(uv_stream_t *server, int status) { (void)server, (void)status; }

/* What the callbacks got last. */
static ssize_t UNUSED got;

static UNUSED void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    got = count;
    if (count < 0) uv_read_stop(stream);
}

static UNUSED void no_buffer(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(NULL, 0);
}

static UNUSED void on_connect(uv_connect_t *request, int status) {
    (void)request;
    got = status;
}

static UNUSED void on_write(uv_write_t *request, int status) {
    (void)request;
    got = status;
}

static UNUSED void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    got = status;
}

/* What a callback gets, after the loop has run. */
#define AFTER_RUN(call) (got = 0, (call) < 0 ? (ssize_t)-9999 : (run(), got))

#endif
