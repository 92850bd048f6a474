/* A folder of its own for a program, and file operations in both forms: without a callback and
 * with one. */
#ifndef FOLDER_H
#define FOLDER_H

#include "say.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/types.h>

static UNUSED uv_loop_t loop;
static UNUSED uv_fs_t fs;
static char folder[] = "/tmp/mauve-fs-XXXXXX";

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info, (void)kind, (void)at;
    return remove(path);
}

static void remove_folder(void) {
    assert(chdir("/") == 0);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Makes a folder, goes there, and removes it with all that is in it when the program ends. */
static UNUSED void enter_folder(void) {
    assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    atexit(remove_folder);
    umask(022);
    assert(uv_loop_init(&loop) == 0);
}

static UNUSED void put(const char *path, const char *text, int mode) {
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    fchmod(fd, mode);
    close(fd);
}

/* What is in a file, and its mode. */
static UNUSED void show(const char *path) {
    char text[256];
    struct stat info;
    int fd = open(path, O_RDONLY);
    if (fd < 0) {
        say("  %s: nothing", path);
        return;
    }
    fstat(fd, &info);
    ssize_t length = read(fd, text, sizeof text);
    say("  %s: [%.*s] %o", path, (int)(length < 0 ? 0 : length), text, (int)info.st_mode);
    close(fd);
}

static int called, inside;

static UNUSED void noted(uv_fs_t *request) {
    assert(!inside && request->loop == &loop);
    called++;
}

static UNUSED const char *outcome(ssize_t result) {
    static char text[4][32];
    static int at;
    char *here = text[at++ % 4];
    snprintf(here, sizeof text[0], "%s", result > 0 ? "" : code((int)result));
    if (result > 0) snprintf(here, sizeof text[0], "%zd", result);
    return here;
}

/* Runs a call that uses `cb`, first without and then with a callback. The result is in `fs`. */
#define BOTH(what, call)                                                                        \
    do {                                                                                        \
        for (int round = 0; round < 2; round++) {                                               \
            uv_fs_cb cb = round == 0 ? NULL : noted;                                            \
            memset(&fs, 0xee, sizeof fs);                                                       \
            void *data = fs.data = &called;                                                     \
            called = 0, inside = 1;                                                             \
            int returned = (call);                                                              \
            inside = 0;                                                                         \
            if (round == 1) uv_run(&loop, UV_RUN_DEFAULT);                                      \
            assert(fs.data == data && fs.type == UV_FS);                                        \
            if (round == 0)                                                                     \
                say("%s: %s, result %s", what, outcome(returned), outcome(fs.result));          \
            else                                                                                \
                say("  async: %s, called %d, result %s", outcome(returned), called,             \
                    outcome(fs.result));                                                        \
            AFTER;                                                                              \
            uv_fs_req_cleanup(&fs);                                                             \
            assert(fs.ptr == NULL && fs.path == NULL);                                          \
        }                                                                                       \
    } while (0)

/* What a program does with the result of a call, before it is cleaned up. */
#ifndef AFTER
#define AFTER
#endif

#endif
