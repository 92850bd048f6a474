/* A temporary working directory for a program, and a macro that runs a file system request both
 * synchronously and with a callback. */
#ifndef TEMP_DIR_H
#define TEMP_DIR_H

#include "test.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/types.h>

static UNUSED uv_loop_t loop;
static UNUSED uv_fs_t fs;
static char temp_dir[] = "/tmp/mauve-fs-XXXXXX";

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info, (void)kind, (void)at;
    return remove(path);
}

static void remove_temp_dir(void) {
    assert(chdir("/") == 0);
    nftw(temp_dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Creates a temporary directory and makes it the working directory. It is removed at exit. */
static UNUSED void enter_temp_dir(void) {
    assert(mkdtemp(temp_dir) != NULL && chdir(temp_dir) == 0);
    atexit(remove_temp_dir);
    umask(022);
    assert(uv_loop_init(&loop) == 0);
}

static UNUSED void write_file(const char *path, const char *text, int mode) {
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    fchmod(fd, mode);
    close(fd);
}

/* Prints the contents of a file and its mode. */
static UNUSED void print_file(const char *path) {
    char text[256];
    struct stat info;
    int fd = open(path, O_RDONLY);
    if (fd < 0) {
        print("  %s: cannot be opened", path);
        return;
    }
    fstat(fd, &info);
    ssize_t length = read(fd, text, sizeof text);
    print("  %s: [%.*s] %o", path, (int)(length < 0 ? 0 : length), text, (int)info.st_mode);
    close(fd);
}

static int callbacks, in_call;

static UNUSED void on_done(uv_fs_t *request) {
    assert(!in_call && request->loop == &loop);
    callbacks++;
}

static UNUSED const char *result_name(ssize_t result) {
    static char text[4][32];
    static int at;
    char *here = text[at++ % 4];
    snprintf(here, sizeof text[0], "%s", result > 0 ? "" : code((int)result));
    if (result > 0) snprintf(here, sizeof text[0], "%zd", result);
    return here;
}

/* Runs a call that uses `fs` and `cb`: first with a null callback, then with one. */
#define BOTH(what, call)                                                                         \
    do {                                                                                         \
        for (int round = 0; round < 2; round++) {                                                \
            uv_fs_cb cb = round == 0 ? NULL : on_done;                                           \
            memset(&fs, 0xee, sizeof fs);                                                        \
            void *data = fs.data = &callbacks;                                                   \
            callbacks = 0, in_call = 1;                                                          \
            int returned = (call);                                                               \
            in_call = 0;                                                                         \
            if (round == 1) uv_run(&loop, UV_RUN_DEFAULT);                                       \
            assert(fs.data == data && fs.type == UV_FS);                                         \
            if (round == 0)                                                                      \
                print("%s: %s, result %s", what, result_name(returned), result_name(fs.result)); \
            else                                                                                 \
                print("  async: %s, callbacks %d, result %s", result_name(returned), callbacks,  \
                    result_name(fs.result));                                                     \
            AFTER;                                                                               \
            uv_fs_req_cleanup(&fs);                                                              \
            assert(fs.ptr == NULL && fs.path == NULL);                                           \
        }                                                                                        \
    } while (0)

/* Statement that BOTH runs after each call, before uv_fs_req_cleanup. */
#ifndef AFTER
#define AFTER
#endif

#endif
