/* needs: mauve */
/* A large tree is watched recursively, then stopped. Another watch of the loop loses no event and
 * gets no UV_ENOBUFS from the many IN_IGNORED events. */
#include "watch_dir.h"

static int events, failures;

static void on_event(uv_fs_event_t *event, const char *name, int what, int status) {
    (void)event;
    (void)what;
    if (status != 0) {
        failures++;
    } else if (strcmp(name, "mark") == 0) {
        events++;
    }
}

static void on_tree(uv_fs_event_t *event, const char *name, int what, int status) {
    (void)event;
    (void)name;
    (void)what;
    if (status != 0) failures++;
}

static int read_limit(const char *path) {
    int limit = 0;
    FILE *file = fopen(path, "r");
    assert(file != NULL && fscanf(file, "%d", &limit) == 1);
    fclose(file);
    return limit;
}

int main(void) {
    uv_loop_t loop;
    uv_fs_event_t small, large;
    char name[64];
    int directories = read_limit("/proc/sys/fs/inotify/max_queued_events") + 1000;

    /* Skipped where the limits are too low, or so high that the test takes too long. */
    if (directories > 40000) return 0;
    if (directories > read_limit("/proc/sys/fs/inotify/max_user_watches") / 2) return 0;
    /* In tmpfs if possible: a slow disk takes a minute. */
    if (!enter_watch_dir_in("/dev/shm")) enter_watch_dir();
    assert(mkdir("small", 0755) == 0);
    assert(mkdir("large", 0755) == 0);
    for (int i = 0; i < directories; i++) {
        if (i % 100 == 0) {
            snprintf(name, sizeof name, "large/%d", i / 100);
            assert(mkdir(name, 0755) == 0);
        }
        snprintf(name, sizeof name, "large/%d/%d", i / 100, i % 100);
        assert(mkdir(name, 0755) == 0);
    }
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &small);
    uv_fs_event_init(&loop, &large);
    EXPECT(uv_fs_event_start(&small, on_event, "small", 0), 0);
    int started = uv_fs_event_start(&large, on_tree, "large", UV_FS_EVENT_RECURSIVE);
    /* Other programs of the user may use up the limit. */
    if (started == UV_ENOSPC) return 0;
    EXPECT(started, 0);
    write_file("small/mark", "x");
    EXPECT(uv_fs_event_stop(&large), 0);
    run_until_quiet(&loop);
    EXPECT(events > 0, 1);
    EXPECT(failures, 0);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
