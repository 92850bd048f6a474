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

/* Makes a directory and goes there. */
static UNUSED void make_place(void) {
    strcpy(place, "/tmp/mauve-files-XXXXXX");
    assert(mkdtemp(place) != NULL);
    assert(chdir(place) == 0);
    atexit(remove_place);
}

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
