/* Shared by the programs that watch files: a temporary working directory. */
#ifndef WATCH_DIR_H
#define WATCH_DIR_H

#include <fcntl.h>
#include <sys/stat.h>

#include "../test.h"

static char watch_dir[64];

static UNUSED void remove_watch_dir(void) {
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", watch_dir);
    if (system(command) != 0) print("not removed");
}

static UNUSED int enter_watch_dir_in(const char *parent) {
    snprintf(watch_dir, sizeof watch_dir, "%s/mauve-files-XXXXXX", parent);
    if (mkdtemp(watch_dir) == NULL) return 0;
    assert(chdir(watch_dir) == 0);
    atexit(remove_watch_dir);
    return 1;
}

/* Creates a temporary directory and makes it the working directory. It is removed at exit. */
static UNUSED void enter_watch_dir(void) { assert(enter_watch_dir_in("/tmp")); }

static UNUSED void write_file(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    assert(fd >= 0);
    assert(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

/* Runs the loop until all pending events have been reported. */
static UNUSED void run_until_quiet(uv_loop_t *loop) {
    for (int i = 0; i < 5; i++) {
        uv_run(loop, UV_RUN_NOWAIT);
        usleep(2000);
    }
}

#endif
