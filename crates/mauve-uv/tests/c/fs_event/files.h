/* What the programs that watch files share. */
#ifndef FILES_H
#define FILES_H

#include <fcntl.h>
#include <sys/stat.h>

#include "../say.h"

static char place[64];

static UNUSED void remove_place(void) {
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", place);
    if (system(command) != 0) say("not removed");
}

static UNUSED int make_place_in(const char *parent) {
    snprintf(place, sizeof place, "%s/mauve-files-XXXXXX", parent);
    if (mkdtemp(place) == NULL) return 0;
    assert(chdir(place) == 0);
    atexit(remove_place);
    return 1;
}

/* Makes a directory and goes there. */
static UNUSED void make_place(void) { assert(make_place_in("/tmp")); }

static UNUSED void write_file(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    assert(fd >= 0);
    assert(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

/* Runs the loop until nothing more happens. */
static UNUSED void settle(uv_loop_t *loop) {
    for (int i = 0; i < 5; i++) {
        uv_run(loop, UV_RUN_NOWAIT);
        usleep(2000);
    }
}

#endif
