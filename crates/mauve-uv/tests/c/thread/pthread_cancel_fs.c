/* pthread_cancel in a synchronous file operation: the thread is cancelled where libuv permits it,
 * while the operation blocks or before it starts. Operations that cannot block return. */
#include "test.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

static int empty[2], full[2], file;
static char path[256], copy[300], name[300];
static char bytes[8] = "bytes";

static int open_fifo(uv_fs_t *request) { return uv_fs_open(NULL, request, path, O_RDONLY, 0, NULL); }

static int read_pipe(uv_fs_t *request) {
    uv_buf_t buf = uv_buf_init(bytes, 1);
    return uv_fs_read(NULL, request, empty[0], &buf, 1, -1, NULL);
}

static int read_pipe_vectored(uv_fs_t *request) {
    uv_buf_t bufs[6];
    for (int i = 0; i < 6; i++) bufs[i] = uv_buf_init(bytes + i, 1);
    return uv_fs_read(NULL, request, empty[0], bufs, 2, -1, NULL);
}

static int write_pipe(uv_fs_t *request) {
    uv_buf_t buf = uv_buf_init(bytes, 1);
    return uv_fs_write(NULL, request, full[1], &buf, 1, -1, NULL);
}

static int open_file(uv_fs_t *request) {
    return uv_fs_open(NULL, request, "/dev/null", O_RDONLY, 0, NULL);
}

static int read_file(uv_fs_t *request) {
    uv_buf_t buf = uv_buf_init(bytes, 1);
    return uv_fs_read(NULL, request, file, &buf, 1, 0, NULL);
}

static int write_file(uv_fs_t *request) {
    uv_buf_t buf = uv_buf_init(bytes, 1);
    return uv_fs_write(NULL, request, file, &buf, 1, -1, NULL);
}

static int sync_all(uv_fs_t *request) { return uv_fs_fsync(NULL, request, file, NULL); }

static int sync_data(uv_fs_t *request) { return uv_fs_fdatasync(NULL, request, file, NULL); }

static int copy_file(uv_fs_t *request) { return uv_fs_copyfile(NULL, request, name, copy, 0, NULL); }

static int make_temporary(uv_fs_t *request) {
    char template[320];
    snprintf(template, sizeof template, "%sXXXXXX", name);
    return uv_fs_mkstemp(NULL, request, template, NULL);
}

static int close_file(uv_fs_t *request) { return uv_fs_close(NULL, request, dup(file), NULL); }

static int stat_root(uv_fs_t *request) { return uv_fs_stat(NULL, request, "/", NULL); }

static int scan_directory(uv_fs_t *request) { return uv_fs_scandir(NULL, request, "/", 0, NULL); }

static int open_directory(uv_fs_t *request) { return uv_fs_opendir(NULL, request, "/", NULL); }

static int resolve_root(uv_fs_t *request) { return uv_fs_realpath(NULL, request, "/", NULL); }

struct test {
    const char *name;
    int (*call)(uv_fs_t *);
    int blocks;
};

static const struct test tests[] = {
    {"open a fifo", open_fifo, 1},
    {"read a pipe", read_pipe, 1},
    {"read a pipe, two buffers", read_pipe_vectored, 1},
    {"write a pipe", write_pipe, 1},
    {"open", open_file, 0},
    {"read", read_file, 0},
    {"write", write_file, 0},
    {"fsync", sync_all, 0},
    {"fdatasync", sync_data, 0},
    {"copyfile", copy_file, 0},
    {"mkstemp", make_temporary, 0},
    {"close", close_file, 0},
    {"stat", stat_root, 0},
    {"scandir", scan_directory, 0},
    {"opendir", open_directory, 0},
    {"realpath", resolve_root, 0},
};

/* Not on the stack of the thread: it is cleaned up after a cancellation, too. */
static uv_fs_t request;

static void *on_thread(void *argument) {
    const struct test *test = argument;
    if (!test->blocks) {
        /* The cancellation is pending before the call. */
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
        pthread_cancel(pthread_self());
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    }
    test->call(&request);
    return NULL;
}

static void clean_up(const struct test *test) {
    if (test->call == make_temporary && request.path != NULL) unlink(request.path);
    if (test->call == open_directory && request.ptr != NULL) {
        uv_fs_t closing;
        uv_fs_closedir(NULL, &closing, request.ptr, NULL);
        uv_fs_req_cleanup(&closing);
    }
    uv_fs_req_cleanup(&request);
}

int main(void) {
    alarm(30);
    snprintf(path, sizeof path, "/tmp/mauve-cancel-%d", (int)getpid());
    snprintf(name, sizeof name, "%s-file", path);
    snprintf(copy, sizeof copy, "%s-copy", path);
    assert(mkfifo(path, 0600) == 0);
    assert(pipe(empty) == 0 && pipe(full) == 0);
    fcntl(full[1], F_SETFL, O_NONBLOCK);
    while (write(full[1], bytes, 1) == 1) continue;
    fcntl(full[1], F_SETFL, 0);
    file = open(name, O_RDWR | O_CREAT, 0600);
    assert(file >= 0 && write(file, bytes, 5) == 5);
    for (size_t i = 0; i < COUNT(tests); i++) {
        pthread_t thread;
        void *result;
        memset(&request, 0, sizeof request);
        pthread_create(&thread, NULL, on_thread, (void *)&tests[i]);
        if (tests[i].blocks) {
            usleep(20000);
            pthread_cancel(thread);
        }
        pthread_join(thread, &result);
        print("%s: %s", tests[i].name, result == PTHREAD_CANCELED ? "cancelled" : "returned");
        clean_up(&tests[i]);
    }
    unlink(path);
    unlink(name);
    unlink(copy);
    return 0;
}
